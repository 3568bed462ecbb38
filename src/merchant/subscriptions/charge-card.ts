// Charges a saved card. The charge is reserved already: its payment exists, with the reference that
// the provider gets. A crash or a lost answer leaves a payment with an unknown outcome. Its
// reference is looked up. It is sent again, with the same reference, only if the provider has not
// known it for a while. After a day, the charge counts as failed.
import { assertDefined } from '../../kernel/basics/assert.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { findAccount } from '../business/business-store.ts'
import type { MerchantContext } from '../context.ts'
import { applyChargeFact } from '../payments/apply-charge-fact.ts'
import { failPayment } from '../payments/fail-payment.ts'
import { isOpen, type Payment } from '../payments/payment.ts'
import { lockPayment } from '../payments/payment-store.ts'
import { abandonPayment, resolvePayment } from '../payments/resolve-payment.ts'
import type { ChargeFact, Outcome, Provider } from '../provider/provider.ts'
import { type Subscription, sealedCardRow } from './subscription.ts'
import { lockSubscription } from './subscription-store.ts'

export type CardCharge = {
  readonly subscription: Subscription
  readonly payment: Payment
  // What the payer's bank may show.
  readonly note: string
  readonly sends: Sends
  // Of the charge now, with the subscription locked; undefined if another one has replaced it.
  findSends(tx: Tx): Promise<number | undefined>
  updateSends(tx: Tx, sends: Sends & { readonly sentAt: Date }): Promise<void>
}

// How often it was sent to the provider, and when last.
type Sends = { readonly sends: number; readonly sentAt: Date | null }

export type ChargeStep = {
  readonly context: MerchantContext
  readonly tenant: Tenant
  readonly provider: Provider
  readonly charge: CardCharge
}

// A charge that the provider does not know is sent again this long after the last send: no call
// takes so long, and the provider lists a charge sooner.
const sendAgainSeconds = 10 * 60

// The first send.
export async function sendCharge(step: ChargeStep): Promise<void> {
  await settle(step, await execute(step))
}

// A sent charge with an unknown outcome.
export async function lookUpCharge(step: ChargeStep): Promise<void> {
  const { context, tenant, charge } = step
  const { payment, sends } = charge
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
  const sentAt = assertDefined(sends.sentAt ?? undefined, 'a charge that was never sent')
  if (now < addSeconds(sentAt, sendAgainSeconds)) return
  if (!(await claimSend(step))) return
  context.failpoint('renewal.claimed-send')
  const outcome = await execute(step)
  // The refusal of a second send may be because of the first: the next look decides.
  if (outcome.kind === 'success') await settle(step, outcome)
}

// Counts a send before it happens. False if another process has sent it meanwhile, if it has ended,
// and if the subscription was cancelled: an unsent charge of a cancelled subscription is never
// sent.
async function claimSend({ context, tenant, charge }: ChargeStep): Promise<boolean> {
  const { database, clock } = context
  const { sends } = charge.sends
  return database.transaction(async (tx) => {
    const now = await lockSubscription(tx, tenant, charge.subscription.id)
    if (now?.status === 'cancelled' || (await charge.findSends(tx)) !== sends) return false
    await charge.updateSends(tx, { sends: sends + 1, sentAt: clock.now() })
    return true
  })
}

async function execute({
  context,
  tenant,
  provider,
  charge,
}: ChargeStep): Promise<Outcome<ChargeFact>> {
  const { subscription, payment, note } = charge
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
    note,
  })
  context.failpoint('renewal.sent')
  return outcome
}

async function settle(step: ChargeStep, outcome: Outcome<ChargeFact>): Promise<void> {
  const { context, tenant } = step
  const { payment } = step.charge
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
async function refuse(tx: Tx, { context, tenant, charge }: ChargeStep, reason: string) {
  const { payment, subscription, sends } = charge
  const now = assertDefined(await lockPayment(tx, tenant, payment.id), 'a payment vanished')
  await lockSubscription(tx, tenant, subscription.id)
  if (!isOpen(now) || (await charge.findSends(tx)) !== sends.sends) return
  await failPayment(tx, context, tenant, now, { reason })
}
