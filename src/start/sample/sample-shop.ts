// What a small coffee shop does with its payments: what it sells, who pays it, what it refunds and
// pays out. Each function is one step and goes through the operation that a person or payer uses.
import type { z } from 'zod'
import { Decimal } from '../../kernel/money/decimal.ts'
import { runOperation } from '../../kernel/operations/run-operation.ts'
import { approveApproval } from '../../merchant/approvals/approve-approval.ts'
import { addDisputeNote } from '../../merchant/chargebacks/add-dispute-note.ts'
import { findChargebacksJob } from '../../merchant/chargebacks/find-chargebacks.ts'
import { listDisputes } from '../../merchant/chargebacks/list-disputes.ts'
import type { Offer } from '../../merchant/checkout/offer.ts'
import {
  openCodeOffer,
  openLinkOffer,
  openSubscriptionOffer,
} from '../../merchant/checkout/open-offer.ts'
import { startCheckout } from '../../merchant/checkout/start-checkout.ts'
import { createPaymentLink } from '../../merchant/payment-links/create-payment-link.ts'
import type { PayerAnswers } from '../../merchant/payment-links/payer-fields.ts'
import { type OrderLine, orderOf, totalOf } from '../../merchant/payment-links/payment-link-item.ts'
import { updatePaymentLink } from '../../merchant/payment-links/update-payment-link.ts'
import { cancelPayment } from '../../merchant/payments/cancel-payment.ts'
import { abandonPayment, resolvePayment } from '../../merchant/payments/resolve-payment.ts'
import { createPayout } from '../../merchant/payouts/create-payout.ts'
import { resolvePayoutsSchedule } from '../../merchant/payouts/resolve-payouts.ts'
import { createQrCode } from '../../merchant/qr-codes/create-qr-code.ts'
import { createRecipient } from '../../merchant/recipients/create-recipient.ts'
import { refundPayment } from '../../merchant/refunds/refund-payment.ts'
import { resolveRefundsSchedule } from '../../merchant/refunds/resolve-refunds.ts'
import { referenceOf, type SampleWorld } from './sample-world.ts'

const currency = 'NGN'
const minute = 60

export type SampleLink = Pick<z.input<typeof createPaymentLink.input>, 'items' | 'payerFields'> & {
  readonly name: string
  readonly title: string
  readonly description?: string
  readonly amountMinor?: bigint
  readonly presetAmountMinor?: bigint
  readonly recipient?: string
  readonly expiresAt?: Date
}

export async function addLink(world: SampleWorld, { name, recipient, ...link }: SampleLink) {
  const splitRecipientId = recipient === undefined ? undefined : await world.find(recipient)
  const input = { ...link, currency, ...(splitRecipientId && { splitRecipientId }) }
  const made = await runOperation(createPaymentLink, world.context(), world.owner, input)
  await world.keep(name, made.id)
}

export async function disableLink(world: SampleWorld, name: string): Promise<void> {
  const id = await world.find(name)
  if (!id) return
  await runOperation(updatePaymentLink, world.context(), world.owner, { id, disabled: true })
}

export async function addCode(
  world: SampleWorld,
  { name, description, amountMinor }: { name: string; description: string; amountMinor?: bigint },
): Promise<void> {
  const made = await runOperation(createQrCode, world.context(), world.owner, {
    mode: amountMinor === undefined ? 'open_amount' : 'fixed_amount',
    currency,
    description,
    ...(amountMinor !== undefined && { amountMinor }),
  })
  await world.keep(name, made.id)
}

export async function addRecipient(
  world: SampleWorld,
  {
    name,
    title,
    accountNumber,
    percent,
  }: Record<'name' | 'title' | 'accountNumber' | 'percent', string>,
): Promise<void> {
  const made = await runOperation(createRecipient, world.context(), world.owner, {
    externalReference: name,
    name: title,
    accountBank: '044',
    accountNumber,
    splitValue: new Decimal(BigInt(percent), 0),
  })
  await world.keep(name, made.id)
}

export type SamplePayment = {
  readonly name: string
  // The name of a link, code or subscription.
  readonly offer: string
  readonly kind: 'link' | 'code' | 'subscription'
  readonly amountMinor: bigint
  // Of a link with items, by their place.
  readonly quantities?: readonly number[]
  readonly answers?: PayerAnswers
  readonly payerEmail: string
  readonly card: string
  readonly ending: 'paid' | 'cancelled' | 'abandoned' | 'withdrawn' | 'open'
}

const openOffer = {
  link: openLinkOffer,
  code: openCodeOffer,
  subscription: openSubscriptionOffer,
}

// Who leaves the provider's page open is asked about for this long.
const abandonedAfterSeconds = 36 * minute

export async function pay(world: SampleWorld, payment: SamplePayment): Promise<void> {
  const { tenant } = world
  const offerId = await world.find(payment.offer)
  if (!offerId) return
  const context = world.context()
  const offer = await openOffer[payment.kind](context, { tenant, id: offerId })
  if (offer?.state !== 'payable') return
  const lines = linesOf(offer, payment)
  const started = await startCheckout(context, {
    offer,
    amountMinor: lines.length > 0 ? totalOf(lines) : payment.amountMinor,
    lines,
    answers: payment.answers ?? null,
    payerEmail: payment.payerEmail,
    token: context.ids.randomBytes(16).toString('base64url'),
  })
  if (started.kind !== 'hand_over') return
  const id = started.paymentId
  await world.keep(payment.name, id)
  await finish(world, payment, id)
}

function linesOf({ price }: Offer, { quantities = [] }: SamplePayment): OrderLine[] {
  if (price.kind !== 'items') return []
  const chosen = price.items.map(({ id, quantityMin }, at) => [id, quantities[at] ?? quantityMin])
  return orderOf(price.items, Object.fromEntries(chosen))
}

async function finish(world: SampleWorld, { ending, card }: SamplePayment, id: string) {
  const { tenant } = world
  const reference = { tx_ref: referenceOf(tenant, id) }
  if (ending === 'open') return
  if (ending === 'paid') {
    world.wait(90)
    await world.control('/pay', { ...reference, card })
    await resolvePayment(world.context(), tenant, id)
    return
  }
  if (ending === 'withdrawn') {
    world.wait(10 * minute)
    await runOperation(cancelPayment, world.context(), world.owner, { id })
    return
  }
  if (ending === 'cancelled') await world.control('/cancel', reference)
  world.wait(ending === 'cancelled' ? 2 * minute : abandonedAfterSeconds)
  const reason = ending === 'cancelled' ? 'cancelled by the payer' : 'abandoned'
  await abandonPayment(world.context(), tenant, id, reason)
}

export async function refund(world: SampleWorld, name: string, amountMinor?: bigint) {
  const paymentId = await world.find(name)
  if (!paymentId) return
  const wanted = { paymentId, ...(amountMinor !== undefined && { amountMinor }) }
  await runOperation(refundPayment, world.context(), world.owner, wanted)
  world.wait(15 * minute)
  await resolveRefundsSchedule.run(world.context(), never())
}

export async function disputePayment(world: SampleWorld, name: string): Promise<void> {
  const paymentId = await world.find(name)
  if (!paymentId) return
  await actOnDispute(world, paymentId, 'charge_back')
}

// Someone of the shop notes what they have, and answers at the provider.
export async function answerDispute(
  world: SampleWorld,
  name: string,
  evidence: string,
): Promise<void> {
  const paymentId = await world.find(name)
  if (!paymentId) return
  const { items } = await runOperation(listDisputes, world.context(), world.owner, {
    text: paymentId,
  })
  const id = items[0]?.id
  if (!id) return
  await runOperation(addDisputeNote, world.context(), world.approver, { id, text: evidence })
  world.wait(20 * minute)
  await actOnDispute(world, paymentId, 'contest_chargeback')
}

// The bank decides, within a week of its start: so long the provider is asked about new disputes.
export async function decideDispute(world: SampleWorld, name: string, ending: 'win' | 'lose') {
  const paymentId = await world.find(name)
  if (paymentId) await actOnDispute(world, paymentId, `${ending}_chargeback`)
}

async function actOnDispute(world: SampleWorld, paymentId: string, step: string): Promise<void> {
  const { tenant } = world
  const reference = referenceOf(tenant, paymentId)
  await world.control('/act', { subject: 'charge', reference, step })
  const job = { id: paymentId, attempt: 1, tenant, payload: { paymentId } }
  await findChargebacksJob.prepare(job)(world.context(), never())
}

// The payer's bank takes less than was asked for, which a person has to look at.
export async function payTooLittle(world: SampleWorld, payment: SamplePayment): Promise<void> {
  const rule = { operation: 'charge', effect: 'underpay', difference: '500', count: 1 }
  await world.control('/rules', rule)
  await pay(world, payment)
}

export type SamplePayout = {
  readonly name: string
  readonly amountMinor: bigint
  readonly ending: 'completed' | 'failed' | 'held'
}

// Amounts above the threshold of the demo wait for the second person.
export async function payOut(world: SampleWorld, { name, amountMinor, ending }: SamplePayout) {
  if (ending === 'failed') {
    const reason = 'The bank could not be reached'
    await world.control('/rules', { operation: 'transfer', effect: 'fail', reason, count: 1 })
  }
  const wanted = { amountMinor, currency, destinationType: 'provider_bank' as const }
  const { payout } = await runOperation(createPayout, world.context(), world.owner, wanted)
  await world.keep(name, payout.id)
  if (ending === 'held') return
  if (payout.approvalId) {
    world.wait(45 * minute)
    const id = payout.approvalId
    await runOperation(approveApproval, world.context(), world.approver, { id })
  }
  // Sends an approved payout, and then finds out what became of it.
  for (const seconds of [minute, 10 * minute, 30 * minute]) {
    world.wait(seconds)
    await resolvePayoutsSchedule.run(world.context(), never())
  }
}

export function never(): AbortSignal {
  return new AbortController().signal
}
