// Plans future steps. Delays are from now and add up; a step without a delay waits for the control
// API.
import { addMilliseconds } from '../../kernel/basics/clock.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { insertStep, type StepSubject } from './step-store.ts'

export type PlannedStep = {
  readonly step: string
  readonly note?: string | undefined
  // Undefined: waits for the control API.
  readonly afterMs: number | undefined
}

export async function planSteps(
  tx: Tx,
  tenant: Tenant,
  subject: { readonly kind: StepSubject; readonly id: bigint },
  start: Date,
  now: Date,
  steps: readonly PlannedStep[],
): Promise<void> {
  let due = start
  for (const { step, note = null, afterMs } of steps) {
    due = addMilliseconds(due, afterMs ?? 0)
    await insertStep(tx, tenant, {
      subject: subject.kind,
      subjectId: subject.id,
      step,
      note,
      dueAt: afterMs === undefined ? null : due,
      createdAt: now,
    })
  }
}
