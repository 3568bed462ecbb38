// Charges the saved card for each period in three steps, so that no transaction is open while we
// wait for the provider:
//   reserve: the period and its payment, with the reference of the charge;
//   execute: ask the provider to charge the card with that reference;
//   settle: pass the answer to the one function that changes payments.
// The last two are in `charge-card.ts`.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { defineSchedule } from '../../kernel/jobs/schedule.ts'
import type { MerchantContext } from '../context.ts'
import { findPause } from '../pauses/pause-store.ts'
import { pollEach } from '../poll-each.ts'
import { type CardCharge, lookUpCharge, sendCharge } from './charge-card.ts'
import { findPeriod, updatePeriod } from './period-store.ts'
import { type Renewal, reserveRenewal } from './reserve-renewal.ts'
import { type DueSubscription, listDueSubscriptions } from './subscription-store.ts'

export const renewSubscriptionsSchedule = defineSchedule({
  name: 'renew-subscriptions',
  everySeconds: 30,
  run: (context: MerchantContext, signal) => renewSubscriptions(context, signal),
})

const batchSize = 100

// Goes through all subscriptions that were due at the start, each once: those that must wait or
// fail stay due, and must not block the others. During a pause nothing new is charged; but charges
// sent before it are looked up, and sent again if they did not arrive.
async function renewSubscriptions(context: MerchantContext, signal: AbortSignal): Promise<void> {
  const { database, clock, log } = context
  const now = clock.now()
  let after: DueSubscription | undefined
  do {
    const onlyCharged = (await findPause(database.sql, 'payments', now)) !== undefined
    const page = { now, after, onlyCharged, limit: batchSize }
    const due = await listDueSubscriptions(database.sql, page)
    await pollEach(
      due,
      signal,
      ({ id, nextAt: _, ...tenant }) => renew(context, tenant, id),
      ({ id }, err) =>
        log.error({ subscriptionId: id, err }, 'a subscription could not be renewed'),
    )
    after = due.length < batchSize ? undefined : due.at(-1)
  } while (after && !signal.aborted)
}

async function renew(context: MerchantContext, tenant: Tenant, id: string): Promise<void> {
  // Before anything is recorded: without a provider there is no charge.
  const provider = await context.providerFor(tenant)
  const reserved = await context.database.transaction(async (tx) => {
    const result = await reserveRenewal(tx, context, tenant, id, provider.name)
    context.failpoint('renewal.reserving')
    return result
  })
  context.failpoint('renewal.reserved')
  if (reserved.kind === 'nothing') return
  const step = { context, tenant, provider, charge: chargeOf(tenant, reserved.renewal) }
  if (reserved.kind === 'look') await lookUpCharge(step)
  else await sendCharge(step)
}

// The row of the period counts the sends.
function chargeOf(tenant: Tenant, { subscription, plan, period, payment }: Renewal): CardCharge {
  const { id } = subscription
  const { number, sends, sentAt } = period
  return {
    subscription,
    payment,
    note: plan.name,
    sends: { sends, sentAt },
    async findSends(tx) {
      const known = await findPeriod(tx, tenant, id, number)
      return known?.paymentId === payment.id ? known.sends : undefined
    },
    updateSends: (tx, changes) => updatePeriod(tx, tenant, id, number, changes),
  }
}
