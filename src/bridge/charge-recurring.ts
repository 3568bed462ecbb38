// Charges the invoices of recurring schedules to saved cards, in three steps, so that no
// transaction is open while we wait for the provider:
//   reserve: the period, the invoice and the payment are bound to each other, with the reference of
//     the charge;
//   execute and settle: as every charge of a saved card (`charge-card.ts`).
// A period is reserved once. After that, the payment service finds out what became of the charge.
import { listUnchargedPeriods, type PeriodKey } from '../books/recurring/period-charge-store.ts'
import { defineSchedule } from '../kernel/jobs/schedule.ts'
import type { MerchantContext } from '../merchant/context.ts'
import { sendCharge } from '../merchant/subscriptions/charge-card.ts'
import { reserveRecurringCharge } from './reserve-recurring-charge.ts'

const batchSize = 100

export const chargeRecurringSchedule = defineSchedule({
  name: 'charge-recurring',
  everySeconds: 30,
  run: (context: MerchantContext, signal) => chargeRecurring(context, signal),
})

async function chargeRecurring(context: MerchantContext, signal: AbortSignal): Promise<void> {
  const { database, log } = context
  let after: PeriodKey | undefined
  do {
    const due = await listUnchargedPeriods(database.sql, after, batchSize)
    for (const period of due) {
      if (signal.aborted) return
      try {
        await chargePeriod(context, period)
      } catch (err) {
        // It stays due. The others must not wait for this one.
        const { scheduleId, number } = period
        log.error({ scheduleId, number, err }, 'a recurring invoice could not be charged')
      }
    }
    after = due.length < batchSize ? undefined : due.at(-1)
  } while (after)
}

async function chargePeriod(
  context: MerchantContext,
  { businessId, environment, ...period }: PeriodKey,
): Promise<void> {
  const tenant = { businessId, environment }
  const provider = await context.providerFor(tenant)
  const charge = await context.database.transaction(async (tx) => {
    const reserved = await reserveRecurringCharge(tx, context, tenant, period, provider.name)
    context.failpoint('recurring-charge.reserving')
    return reserved
  })
  context.failpoint('recurring-charge.reserved')
  if (charge) await sendCharge({ context, tenant, provider, charge })
}
