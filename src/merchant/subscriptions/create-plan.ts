import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { intervalText, type Plan } from './plan.ts'
import { insertPlan } from './plan-store.ts'

export type NewPlan = Omit<Plan, 'id' | 'createdAt'>

// The caller has checked the input (`planInput`), and that the provider takes the currency.
export async function createPlan(
  tx: Tx,
  context: Pick<Context, 'clock' | 'ids'>,
  actor: Actor,
  input: NewPlan,
): Promise<Plan> {
  const plan: Plan = { id: context.ids.uuid(), ...input, createdAt: context.clock.now() }
  await insertPlan(tx, actor, plan)
  const { name, currency, amountMinor, timeZone } = plan
  await recordAct(tx, context, actor, {
    action: 'plan.create',
    objectKind: 'plan',
    objectId: plan.id,
    detail: { name, currency, amountMinor: String(amountMinor), timeZone, due: intervalText(plan) },
  })
  return plan
}
