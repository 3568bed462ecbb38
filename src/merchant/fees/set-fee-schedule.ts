// What the platform takes of the charges of a business from now on. Charges that succeeded keep the
// fee that they were booked with.
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { FeeSchedule } from './fee-schedule.ts'
import { findFeeSchedule, insertOrUpdateFeeSchedule } from './fee-store.ts'

export async function setFeeSchedule(
  tx: Tx,
  context: Context,
  actor: Actor,
  currency: string,
  schedule: FeeSchedule,
): Promise<void> {
  const { businessId } = actor
  const before = await findFeeSchedule(tx, businessId, currency)
  await insertOrUpdateFeeSchedule(tx, businessId, currency, schedule, context.clock.now())
  await recordAct(tx, context, actor, {
    action: 'fee_schedule.set',
    objectKind: 'business',
    objectId: businessId,
    detail: { currency, ...written(schedule), before: before ? written(before) : null },
  })
}

function written({ basisPoints, fixedMinor }: FeeSchedule) {
  return { basisPoints, fixedMinor: fixedMinor.toString() }
}
