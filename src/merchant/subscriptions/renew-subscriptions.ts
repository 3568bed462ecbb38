// Charges the saved card for each period in three steps, so that no transaction is open while we
// wait for the provider:
//   reserve: the period and its payment, with the reference of the charge;
//   execute: ask the provider to charge the card with that reference;
//   settle: pass the answer to the one function that changes payments.
// A crash or a lost answer leaves a payment with an unknown outcome. Its reference is looked up. It
// is sent again, with the same reference, only if the provider has not known it for a while. After
// a day, the charge counts as failed.
import { assertDefined } from '../../kernel/basics/assert.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { defineSchedule } from '../../kernel/jobs/schedule.ts'
import { findAccount } from '../business/business-store.ts'
import type { MerchantContext } from '../context.ts'
import { findPause } from '../pauses/pause-store.ts'
import { applyChargeFact } from '../payments/apply-charge-fact.ts'
import { failPayment } from '../payments/fail-payment.ts'
import { isOpen } from '../payments/payment.ts'
import { lockPayment } from '../payments/payment-store.ts'
import { abandonPayment, resolvePayment } from '../payments/resolve-payment.ts'
import { pollEach } from '../poll-each.ts'
import type { ChargeFact, Outcome, Provider } from '../provider/provider.ts'
import { findPeriod, updatePeriod } from './period-store.ts'
import { type Renewal, reserveRenewal } from './reserve-renewal.ts'
import { sealedCardRow } from './subscription.ts'
import {
  type DueSubscription,
  listDueSubscriptions,
  lockSubscription,
} from './subscription-store.ts'

export const renewSubscriptionsSchedule = defineSchedule({
  name: 'renew-subscriptions',
  everySeconds: 30,
  run: (context: MerchantContext, signal) => renewSubscriptions(context, signal),
})

const batchSize = 100
// A charge that the provider does not know is sent again this long after the last send: no call
// takes so long, and the provider lists a charge sooner.
const sendAgainSeconds = 10 * 60

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
  const step = { context, tenant, provider, renewal: reserved.renewal }
  if (reserved.kind === 'look') await look(step)
  else await settle(step, await charge(step))
}

type Step = {
  readonly context: MerchantContext
  readonly tenant: Tenant
  readonly provider: Provider
  readonly renewal: Renewal
}

async function look(step: Step): Promise<void> {
  const { context, tenant, renewal } = step
  const { payment, period } = renewal
  const resolved = await resolvePayment(context, tenant, payment.id)
  context.failpoint('renewal.looked-up')
  if (resolved?.charge !== 'none' || !isOpen(resolved.payment)) return
  const now = context.clock.now()
  if (now >= payment.checkoutExpiresAt) {
    await abandonPayment(
      context,
      tenant,
      payment.id,
      'the payment provider did not take the charge',
    )
    return
  }
  const sentAt = assertDefined(period.sentAt ?? undefined, 'a charge that was never sent')
  if (now < addSeconds(sentAt, sendAgainSeconds)) return
  if (!(await claimSend(step))) return
  context.failpoint('renewal.claimed-send')
  const outcome = await charge(step)
  // The refusal of a second send may be because of the first: the next look decides.
  if (outcome.kind === 'success') await settle(step, outcome)
}

// Counts a send before it happens. False if another process has sent it meanwhile, if it has ended,
// and if the subscription was cancelled: an unsent charge of a cancelled subscription is never
// sent.
async function claimSend({ context, tenant, renewal }: Step): Promise<boolean> {
  const { database, clock } = context
  const { period } = renewal
  const { id } = renewal.subscription
  return database.transaction(async (tx) => {
    const now = await lockSubscription(tx, tenant, id)
    const known = await findPeriod(tx, tenant, id, period.number)
    const isSame = known?.paymentId === period.paymentId && known?.sends === period.sends
    if (now?.status === 'cancelled' || !isSame) return false
    const sends = period.sends + 1
    await updatePeriod(tx, tenant, id, period.number, { sends, sentAt: clock.now() })
    return true
  })
}

async function charge({ context, tenant, provider, renewal }: Step): Promise<Outcome<ChargeFact>> {
  const { subscription, plan, payment } = renewal
  const { id, cardSealed, cardProvider } = subscription
  // The first period was paid in a way that can't be charged again. The payer can pay on the page.
  if (cardSealed === null) return { kind: 'refused', reason: 'no card is saved' }
  if (cardProvider !== provider.name) {
    const reason = 'the saved card belongs to another payment provider; ask the payer for a new one'
    return { kind: 'refused', reason }
  }
  const account = await findAccount(context.database.sql, tenant.businessId)
  const outcome = await provider.chargeSavedCard({
    reference: payment.providerReference,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    token: context.secrets.open(cardSealed, sealedCardRow(id)).toString(),
    payerEmail: payment.payerEmail,
    country: assertDefined(account, 'a subscription without a business').country,
    note: plan.name,
  })
  context.failpoint('renewal.sent')
  return outcome
}

async function settle(step: Step, outcome: Outcome<ChargeFact>): Promise<void> {
  const { context, tenant } = step
  const { payment } = step.renewal
  if (outcome.kind === 'unknown') {
    context.log.warn({ paymentId: payment.id, reason: outcome.cause }, 'a renewal has no answer')
    return
  }
  await context.database.transaction(async (tx) => {
    if (outcome.kind === 'success') {
      await applyChargeFact(tx, context, tenant, payment.id, outcome.value)
    } else {
      await refuse(tx, step, outcome.reason)
    }
    context.failpoint('renewal.settling')
  })
  context.failpoint('renewal.settled')
}

// Another look has ended the payment meanwhile, or has sent the charge again: then the answer to
// that send counts.
async function refuse(tx: Tx, { context, tenant, renewal }: Step, reason: string): Promise<void> {
  const { payment, period, subscription } = renewal
  const now = assertDefined(await lockPayment(tx, tenant, payment.id), 'a payment vanished')
  await lockSubscription(tx, tenant, subscription.id)
  const known = await findPeriod(tx, tenant, subscription.id, period.number)
  if (!isOpen(now) || known?.sends !== period.sends) return
  await failPayment(tx, context, tenant, now, { reason })
}
