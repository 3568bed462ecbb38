// The platform's fee on future charges of a business. Successful charges keep the fee that was
// posted.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { amountMinorMax } from '../../kernel/money/minor-units.ts'
import { noRoles } from '../../kernel/operations/permission.ts'
import { currencyCode } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { basisPointsMax, type FeeSchedule } from './fee-schedule.ts'
import { findFeeSchedule, insertOrUpdateFeeSchedule } from './fee-store.ts'

export const setFeeSchedule = defineOperation({
  name: 'set-fee-schedule',
  summary: 'Set the fee on each charge of a business in one currency',
  kind: 'write',
  input: z.strictObject({
    currency: currencyCode(),
    basisPoints: z.int().min(0).max(basisPointsMax),
    fixedMinor: z.bigint().min(0n).max(amountMinorMax),
  }),
  scopes: [],
  roles: noRoles,
  async run(context, actor, { currency, ...schedule }): Promise<FeeSchedule> {
    const { businessId } = actor
    await context.database.transaction(async (tx) => {
      const before = await findFeeSchedule(tx, businessId, currency)
      await insertOrUpdateFeeSchedule(tx, businessId, currency, schedule, context.clock.now())
      await recordAct(tx, context, actor, {
        action: 'fee_schedule.set',
        objectKind: 'business',
        objectId: businessId,
        detail: { currency, ...written(schedule), before: before ? written(before) : null },
      })
    })
    return schedule
  },
})

function written({ basisPoints, fixedMinor }: FeeSchedule) {
  return { basisPoints, fixedMinor: fixedMinor.toString() }
}
