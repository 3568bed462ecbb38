// Stores an approval threshold. The caller has checked that the actor may: it decides how much a
// person can move alone.
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { WantedThreshold } from './approval.ts'
import {
  deleteThreshold,
  findOwnThresholdMinor,
  insertOrUpdateThreshold,
} from './threshold-store.ts'

export async function setThreshold(
  tx: Tx,
  context: Context,
  actor: Actor,
  { operation, currency, amountMinor }: WantedThreshold,
): Promise<void> {
  const { businessId } = actor
  const before = await findOwnThresholdMinor(tx, businessId, operation, currency)
  if (amountMinor === null) {
    await deleteThreshold(tx, businessId, operation, currency)
  } else {
    const threshold = { operation, currency, amountMinor }
    await insertOrUpdateThreshold(tx, businessId, threshold, context.clock.now())
  }
  await recordAct(tx, context, actor, {
    action: 'approval_threshold.set',
    objectKind: 'business',
    objectId: businessId,
    detail: {
      operation,
      currency,
      amountMinor: amountMinor?.toString() ?? null,
      beforeMinor: before?.toString() ?? null,
    },
  })
}
