// A recurring schedule charges the card from now on. The subscription is no longer renewed by
// itself, also not after the schedule has ended: both would charge for the same time.
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { MerchantContext } from '../context.ts'
import { updateSubscription } from './subscription-store.ts'

// The caller has locked the subscription and checked the terms.
export async function endRenewals(
  tx: Tx,
  context: MerchantContext,
  actor: Actor,
  subscriptionId: string,
  scheduleId: string,
): Promise<void> {
  const updatedAt = context.clock.now()
  const changes = { scheduleId, nextAt: null, updatedAt }
  await updateSubscription(tx, actor, subscriptionId, changes)
  await recordAct(tx, context, actor, {
    action: 'subscription.charge_by_schedule',
    objectKind: 'subscription',
    objectId: subscriptionId,
    detail: { scheduleId },
  })
}
