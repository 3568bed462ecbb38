// The first step of pressing Pay: creates the pending payment, or finds it again.
import { createHash } from 'node:crypto'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import { hostedReference } from '../../kernel/basics/hosted-reference.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { claimIdempotencyKey } from '../../kernel/operations/idempotency.ts'
import type { MerchantContext } from '../context.ts'
import { decideFee } from '../fees/decide-fee.ts'
import type { Pause } from '../pauses/pause.ts'
import { findPause } from '../pauses/pause-store.ts'
import { isSameAnswers, type PayerAnswers } from '../payment-links/payer-fields.ts'
import { isSameOrder, type OrderLine } from '../payment-links/payment-link-item.ts'
import { insertPaymentItems, listPaymentItems } from '../payment-links/payment-link-item-store.ts'
import { voidPayment } from '../payments/cancel-payment.ts'
import { isCollected, isOpen, type Payment } from '../payments/payment.ts'
import {
  findPayment,
  insertPayment,
  lockPayment,
  updatePayerAnswers,
} from '../payments/payment-store.ts'
import { queueFirstPoll } from '../payments/poll-payment.ts'
import type { ProviderName } from '../provider/provider.ts'
import { newReceiptKey } from '../receipts/receipt.ts'
import { updatePassedOver } from '../settlements/settlement-store.ts'
import type { Offer } from './offer.ts'
import { type NotFree, type PaidFor, reserveOffer } from './reserve-offer.ts'
import { splitDetail, splitFor } from './split-checkout.ts'

export type PressedPay = {
  readonly offer: Offer
  readonly amountMinor: bigint
  readonly payerEmail: string
  // In which the page was read, such as `fr-CA`.
  readonly payerLocale?: string
  // Of a link with items.
  readonly lines?: readonly OrderLine[]
  // To what the link asks for.
  readonly answers?: PayerAnswers | null
  // The same for all clicks on one page, so that a double click is one payment.
  readonly token: string
}

// With the provider that is to collect it.
type Reserving = PressedPay & { readonly provider: ProviderName }

// How long the payer has on the provider's page.
const sessionMinutes = 30
// With less time left than this, a session is not reused.
const sessionMinutesMin = 5

// A form makes so many payments one after another at most. Each press looks at all of them in one
// transaction; a payer who needs more gets a new form.
const paymentsMaxPerForm = 10

// `isNew`: this click created the payment.
type Reserved = { readonly payment: Payment; readonly isNew: boolean }

export type NotReserved =
  | { readonly kind: NotFree }
  | { readonly kind: 'paused'; readonly pause: Pause }
  | { readonly kind: 'used_up' }

// Thrown to roll the transaction back, so that the token is not used.
class NotReservedError extends Error {
  override readonly name = 'NotReservedError'
  readonly why: NotReserved

  constructor(why: NotReserved) {
    super(why.kind)
    this.why = why
  }
}

export async function reserveOrNot(
  context: MerchantContext,
  pressed: Reserving,
): Promise<Reserved | NotReserved> {
  try {
    return await context.database.transaction((tx) => reserve(tx, context, pressed))
  } catch (error) {
    if (error instanceof NotReservedError) return error.why
    throw error
  }
}

// After a failed payment, the next token is derived from this one, so that a double click on "try
// again" is one payment too.
async function reserve(tx: Tx, context: MerchantContext, pressed: Reserving): Promise<Reserved> {
  const { tenant, id: offerId } = pressed.offer
  let { token } = pressed
  for (let count = 0; count < paymentsMaxPerForm; count += 1) {
    const id = context.ids.uuid()
    const call = { operation: 'checkout', key: `${offerId}:${token}` }
    const earlierId = await claimIdempotencyKey(tx, context, tenant, call, id)
    if (earlierId === undefined) {
      await mustNotBePaused(tx, context)
      const { amountMinor, lines = [] } = pressed
      const asked = { paymentId: id, amountMinor, lines }
      const paidFor = await reserveOffer(tx, context, pressed.offer, asked)
      if (typeof paidFor === 'string') throw new NotReservedError({ kind: paidFor })
      return { payment: await create(tx, context, pressed, id, paidFor), isNew: true }
    }
    const earlier = await continued(tx, context, pressed, earlierId)
    // A payer who has the provider's page may continue; without one, the payment has not started.
    if (earlier?.status === 'pending' && !earlier.checkoutUrl) await mustNotBePaused(tx, context)
    if (earlier) {
      return { payment: await corrected(tx, context, pressed, earlier), isNew: false }
    }
    token = createHash('sha256').update(`${token} ${earlierId}`).digest('base64url')
  }
  throw new NotReservedError({ kind: 'used_up' })
}

async function mustNotBePaused(tx: Tx, { clock }: MerchantContext): Promise<void> {
  const pause = await findPause(tx, 'payments', clock.now())
  if (pause) throw new NotReservedError({ kind: 'paused', pause })
}

// The earlier payment of this form, unless it has ended or is for something else.
async function continued(
  tx: Tx,
  context: MerchantContext,
  { offer, amountMinor, payerEmail, lines = [] }: PressedPay,
  earlierId: string,
): Promise<Payment | undefined> {
  const { tenant } = offer
  const found = await findPayment(tx, tenant, earlierId)
  const earlier = assertDefined(found, 'the payment of a form vanished')
  if (isCollected(earlier)) return earlier
  if (!isOpen(earlier)) return undefined
  const isInTime = minutesLeft(context, earlier) >= sessionMinutesMin
  // The provider has the e-mail address too, and charges a saved card only with it, so a corrected
  // address needs a new page there.
  const isSame =
    earlier.amountMinor === amountMinor &&
    earlier.payerEmail === payerEmail &&
    (!earlier.isItemised || isSameOrder(await listPaymentItems(tx, tenant, [earlierId]), lines))
  if (earlier.status === 'processing' || (isInTime && isSame)) return earlier
  const after = await voidPayment(tx, context, checkoutActor(tenant), earlierId)
  return after?.status === 'cancelled' ? undefined : after
}

// A payer who came back may have corrected the answers.
async function corrected(
  tx: Tx,
  { clock }: MerchantContext,
  { offer: { tenant, payer }, answers = null }: PressedPay,
  earlier: Payment,
): Promise<Payment> {
  if (earlier.status !== 'pending' || isSameAnswers(earlier.payerAnswers, answers)) return earlier
  const now = assertDefined(await lockPayment(tx, tenant, earlier.id), 'a payment vanished')
  if (now.status !== 'pending') return now
  const changed: Payment = {
    ...now,
    payerName: payer?.name ?? answers?.name ?? null,
    payerAnswers: answers,
    updatedAt: clock.now(),
  }
  await updatePayerAnswers(tx, tenant, changed)
  return changed
}

async function create(
  tx: Tx,
  context: MerchantContext,
  pressed: Reserving,
  id: string,
  paidFor: PaidFor,
): Promise<Payment> {
  const { offer, amountMinor, payerEmail, payerLocale, provider } = pressed
  const { lines = [], answers = null } = pressed
  const { tenant, currency } = offer
  const now = context.clock.now()
  // The check of a card is refunded in full, so no one pays a fee for it.
  const agreedFeeMinor =
    offer.kind === 'card' ? 0n : await decideFee(tx, tenant.businessId, { currency, amountMinor })
  const split = await splitFor(tx, offer, provider, { amountMinor, feeMinor: agreedFeeMinor })
  const payment: Payment = {
    id,
    status: 'pending',
    currency,
    amountMinor,
    refundedMinor: 0n,
    agreedFeeMinor,
    feeMinor: null,
    netMinor: null,
    ...paidFor,
    splitRecipientId: split ? offer.splitRecipientId : null,
    splitMinor: split?.amountMinor ?? null,
    splitRule: split?.rule ?? null,
    payerEmail,
    payerName: offer.payer?.name ?? answers?.name ?? null,
    payerLocale: payerLocale ?? null,
    payerAnswers: answers,
    receiptKey: newReceiptKey(context.ids),
    failureReason: null,
    provider,
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
  if (paidFor.isItemised) {
    await insertPaymentItems(tx, tenant, { paymentId: id, paymentLinkId: offer.id }, lines)
  }
  if (!split && offer.splitRecipientId) {
    await updatePassedOver(tx, tenant, id, offer.splitRecipientId)
  }
  await queueFirstPoll(tx, context, tenant, payment)
  await recordAct(tx, context, checkoutActor(tenant), {
    action: 'payment.create',
    objectKind: 'payment',
    objectId: id,
    detail: splitDetail(offer, payment),
  })
  return payment
}

export function checkoutActor(tenant: Tenant) {
  return { ...tenant, kind: 'system', name: 'checkout' } as const
}

export function minutesLeft({ clock }: MerchantContext, { checkoutExpiresAt }: Payment): number {
  return Math.floor((checkoutExpiresAt.getTime() - clock.now().getTime()) / 60_000)
}
