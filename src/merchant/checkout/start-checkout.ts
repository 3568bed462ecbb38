// Pay was pressed. Three steps, so that no transaction is open while we wait for the provider:
//   reserve: record the pending payment, and hold a single-use code or a period for it;
//   execute: have the provider make its page, under the payment's own reference;
//   settle:  keep the address of that page.
// A crash in between leaves a pending payment without a page; pressing Pay again finds it by the
// form's token and asks once more, and if nobody does, the poller lets it time out.
import { createHash } from 'node:crypto'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { claimIdempotencyKey } from '../../kernel/http/idempotency.ts'
import type { MerchantContext } from '../context.ts'
import type { Pause } from '../pauses/pause.ts'
import { findStandingPause } from '../pauses/pause-store.ts'
import { voidPayment } from '../payments/cancel-payment.ts'
import { failPayment } from '../payments/fail-payment.ts'
import { queueFirstLook } from '../payments/look-at-payment.ts'
import { isCollected, isOpen, type Payment } from '../payments/payment.ts'
import {
  findPayment,
  insertPayment,
  lockPayment,
  updatePayment,
} from '../payments/payment-store.ts'
import { updatePassedOver } from '../settlements/settlement-store.ts'
import { hostedReference } from './hosted-reference.ts'
import type { Offer } from './offer.ts'
import { splitDetail, splitFor, splitInstruction } from './split-checkout.ts'
import { type PaidFor, takeOffer } from './take-offer.ts'

export type PressedPay = {
  readonly offer: Offer
  readonly amountMinor: bigint
  readonly payerEmail: string
  // The same for every press on one page, so that a double click is one payment.
  readonly token: string
}

export type Started =
  // The provider's page.
  | { readonly kind: 'hand_over'; readonly url: string }
  // This press was answered before: where the payment stands is shown.
  | { readonly kind: 'known'; readonly payment: Payment }
  | { readonly kind: 'taken' }
  | { readonly kind: 'paused'; readonly pause: Pause }
  | { readonly kind: 'unreachable' }

// How long the payer has on the provider's page.
const sessionMinutes = 30
// With less time than this left, a session is not begun again.
const sessionMinutesMin = 5

export async function startCheckout(
  context: MerchantContext,
  pressed: PressedPay,
): Promise<Started> {
  const { tenant } = pressed.offer
  const reserved = await reserveOrNot(context, pressed)
  if ('kind' in reserved) return reserved
  const { payment } = reserved
  context.failpoint('charge.reserved')
  if (payment.status !== 'pending') return { kind: 'known', payment }
  if (payment.checkoutUrl) return { kind: 'hand_over', url: payment.checkoutUrl }
  const provider = await context.providerFor(tenant)
  const outcome = await provider.createCheckout(await instruction(context, pressed, payment))
  context.failpoint('charge.page-made')
  const started = await context.database.transaction(async (tx): Promise<Started> => {
    const now = assertDefined(await lockPayment(tx, tenant, payment.id), 'a payment vanished')
    // Another press of the same form may have been quicker; its page is as good.
    if (now.status !== 'pending') return { kind: 'known', payment: now }
    if (now.checkoutUrl) return { kind: 'hand_over', url: now.checkoutUrl }
    if (outcome.kind === 'unknown') return { kind: 'unreachable' }
    if (outcome.kind === 'refused') {
      context.log.warn({ paymentId: payment.id }, 'the provider refused a checkout')
      const failed = await failPayment(tx, context, tenant, now, { reason: outcome.reason })
      return { kind: 'known', payment: failed }
    }
    const { url: checkoutUrl } = outcome.value
    await updatePayment(tx, tenant, now.id, { checkoutUrl, updatedAt: context.clock.now() })
    context.failpoint('charge.page-keeping')
    return { kind: 'hand_over', url: checkoutUrl }
  })
  context.failpoint('charge.page-kept')
  return started
}

type NotReserved = Extract<Started, { kind: 'taken' | 'paused' }>

// Thrown so that the transaction is undone: the token is then not used up.
class NotReservedError extends Error {
  override readonly name = 'NotReservedError'
  readonly why: NotReserved

  constructor(why: NotReserved) {
    super(why.kind)
    this.why = why
  }
}

async function reserveOrNot(
  context: MerchantContext,
  pressed: PressedPay,
): Promise<{ payment: Payment } | NotReserved> {
  try {
    const payment = await context.database.transaction((tx) => reserve(tx, context, pressed))
    return { payment }
  } catch (error) {
    if (error instanceof NotReservedError) return error.why
    throw error
  }
}

// After a payment that came to nothing, the same token leads on to the next one, always the same
// way, so that a double click on "try again" is one payment too.
async function reserve(tx: Tx, context: MerchantContext, pressed: PressedPay): Promise<Payment> {
  const { tenant, id: offerId } = pressed.offer
  let { token } = pressed
  for (;;) {
    const id = context.ids.uuid()
    const call = { operation: 'checkout', key: `${offerId}:${token}` }
    const earlierId = await claimIdempotencyKey(tx, context, tenant, call, id)
    if (earlierId === undefined) {
      await mustNotBePaused(tx, context)
      const paidFor = await takeOffer(tx, pressed.offer, id)
      if (!paidFor) throw new NotReservedError({ kind: 'taken' })
      return create(tx, context, pressed, id, paidFor)
    }
    const earlier = await continued(tx, context, pressed, earlierId)
    // A payer who has the provider's page goes on; without one, the payment has not begun.
    if (earlier?.status === 'pending' && !earlier.checkoutUrl) await mustNotBePaused(tx, context)
    if (earlier) return earlier
    token = createHash('sha256').update(`${token} ${earlierId}`).digest('base64url')
  }
}

async function mustNotBePaused(tx: Tx, { clock }: MerchantContext): Promise<void> {
  const pause = await findStandingPause(tx, 'payments', clock.now())
  if (pause) throw new NotReservedError({ kind: 'paused', pause })
}

// The earlier payment of this form, unless it is over or was about another amount.
async function continued(
  tx: Tx,
  context: MerchantContext,
  { offer, amountMinor }: PressedPay,
  earlierId: string,
): Promise<Payment | undefined> {
  const { tenant } = offer
  const found = await findPayment(tx, tenant, earlierId)
  const earlier = assertDefined(found, 'the payment of a form vanished')
  if (isCollected(earlier)) return earlier
  if (!isOpen(earlier)) return undefined
  const isInTime = minutesLeft(context, earlier) >= sessionMinutesMin
  if (earlier.status === 'processing' || (isInTime && earlier.amountMinor === amountMinor)) {
    return earlier
  }
  const actor = { ...tenant, kind: 'system', name: 'checkout' } as const
  const after = await voidPayment(tx, context, actor, earlierId)
  return after?.status === 'cancelled' ? undefined : after
}

async function create(
  tx: Tx,
  context: MerchantContext,
  { offer, amountMinor, payerEmail }: PressedPay,
  id: string,
  paidFor: PaidFor,
): Promise<Payment> {
  const { tenant, currency } = offer
  const now = context.clock.now()
  const split = await splitFor(tx, offer, amountMinor)
  const payment: Payment = {
    id,
    status: 'pending',
    currency,
    amountMinor,
    refundedMinor: 0n,
    feeMinor: null,
    netMinor: null,
    ...paidFor,
    splitRecipientId: split ? offer.splitRecipientId : null,
    splitMinor: split?.amountMinor ?? null,
    payerEmail,
    payerName: offer.payer?.name ?? null,
    failureReason: null,
    providerReference: hostedReference(tenant, id),
    providerTransactionId: null,
    checkoutUrl: null,
    checkoutExpiresAt: addSeconds(now, sessionMinutes * 60),
    createdAt: now,
    updatedAt: now,
    succeededAt: null,
    settledAt: null,
  }
  await insertPayment(tx, tenant, payment)
  if (!split && offer.splitRecipientId) {
    await updatePassedOver(tx, tenant, id, offer.splitRecipientId)
  }
  await queueFirstLook(tx, context, tenant, payment)
  const actor = { ...tenant, kind: 'system', name: 'checkout' } as const
  await recordAct(tx, context, actor, {
    action: 'payment.create',
    objectKind: 'payment',
    objectId: id,
    detail: splitDetail(offer, payment),
  })
  return payment
}

async function instruction(context: MerchantContext, { offer }: PressedPay, payment: Payment) {
  const { tenant } = offer
  return {
    reference: payment.providerReference,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    payerEmail: payment.payerEmail,
    payerName: payment.payerName,
    title: offer.title,
    description: offer.description,
    returnUrl: `${context.publicUrl}/pay/return/${payment.providerReference}`,
    sessionMinutes: minutesLeft(context, payment),
    split: await splitInstruction(context.database.sql, tenant, payment),
    cardOnly: offer.kind === 'subscription',
  }
}

function minutesLeft({ clock }: MerchantContext, { checkoutExpiresAt }: Payment): number {
  return Math.floor((checkoutExpiresAt.getTime() - clock.now().getTime()) / 60_000)
}
