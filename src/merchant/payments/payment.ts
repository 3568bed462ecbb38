// A payment: one attempt of a payer to pay a link, a QR code, a subscription or an invoice, or to
// replace the card of a subscription.
//
//   pending recorded; the payer is on the provider's page
//   processing the provider has the charge and has not decided
//   succeeded, partially_refunded, refunded: the full amount was collected
//   failed declined, abandoned or a wrong amount; cancelled: voided while pending
import { z } from 'zod'
import { minorNumber, timestamp } from '../../kernel/operations/schemas.ts'
import { type Metadata, metadataSchema } from '../checkout/offer-fields.ts'
import {
  type PayerAnswers,
  payerAnswersSchema,
  presentAnswers,
} from '../payment-links/payer-fields.ts'
import {
  type OrderLine,
  orderedItemSchema,
  presentOrder,
} from '../payment-links/payment-link-item.ts'
import type { ProviderName } from '../provider/provider.ts'
import { refundSchema } from '../refunds/shown-refund.ts'

export const paymentStatuses = [
  'pending',
  'processing',
  'succeeded',
  'partially_refunded',
  'refunded',
  'failed',
  'cancelled',
] as const

export type PaymentStatus = (typeof paymentStatuses)[number]

export type Payment = {
  readonly id: string
  readonly status: PaymentStatus
  readonly currency: string
  readonly amountMinor: bigint
  readonly refundedMinor: bigint
  // The fee on success; null for payments from before this was stored.
  readonly agreedFeeMinor: bigint | null
  // Known when the payment has succeeded.
  readonly feeMinor: bigint | null
  readonly netMinor: bigint | null
  readonly paymentLinkId: string | null
  readonly qrCodeId: string | null
  readonly subscriptionId: string | null
  // The number of the period that it pays for; null without a subscription.
  readonly subscriptionPeriod: number | null
  // The invoice of the books that it pays.
  readonly invoiceId: string | null
  // The subscription whose new card it checks.
  readonly cardSubscriptionId: string | null
  // Whether it is for items of a link.
  readonly isItemised: boolean
  readonly splitRecipientId: string | null
  readonly splitMinor: bigint | null
  // How the share was computed; null also for shares of what the fee left, the earlier rule.
  readonly splitRule: 'of_charge' | null
  readonly payerEmail: string
  readonly payerName: string | null
  // The language and region in which the payer read the page, such as `fr-CA`, if known.
  readonly payerLocale: string | null
  // What the payer answered, if the link asks for more than the e-mail address.
  readonly payerAnswers: PayerAnswers | null
  // The random part of the address of its receipt; null for payments from before there were any.
  readonly receiptKey: string | null
  readonly failureReason: string | null
  // Which one it went to; null for one from before this was kept, with proof of a real provider.
  readonly provider: ProviderName | null
  readonly providerReference: string
  readonly providerTransactionId: string | null
  readonly checkoutUrl: string | null
  readonly checkoutExpiresAt: Date
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly succeededAt: Date | null
  readonly settledAt: Date | null
}

// What a payment shows beside its own row.
export type PaymentDetail = {
  readonly id: string
  // In the provider's word, such as card; null until it has succeeded.
  readonly method: string | null
  // What the payer recognises the card by.
  readonly cardBrand: string | null
  readonly cardLast4: string | null
  // Of the link or code that was paid.
  readonly reference: string | null
  readonly metadata: Metadata
}

// All allowed changes of a payment's status. Anything else is a bug or a discrepancy.
const transitions: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  pending: ['processing', 'succeeded', 'failed', 'cancelled'],
  processing: ['succeeded', 'failed'],
  succeeded: ['partially_refunded', 'refunded'],
  partially_refunded: ['partially_refunded', 'refunded', 'succeeded'],
  refunded: ['partially_refunded', 'succeeded'],
  failed: [],
  cancelled: [],
}

// The ways back from refunded are for a refund that failed after the provider had accepted it.
export function mayBecome(from: PaymentStatus, to: PaymentStatus): boolean {
  return transitions[from].includes(to)
}

export function statusAfterRefunds(amountMinor: bigint, refundedMinor: bigint): PaymentStatus {
  if (refundedMinor === 0n) return 'succeeded'
  return refundedMinor === amountMinor ? 'refunded' : 'partially_refunded'
}

export function isCollected({ status }: Pick<Payment, 'status'>): boolean {
  return status === 'succeeded' || status === 'partially_refunded' || status === 'refunded'
}

export const paymentSchema = z.object({
  id: z.uuid(),
  amount: minorNumber().meta({ description: 'The original amount.' }),
  currency: z.string(),
  status: z.enum(paymentStatuses),
  refunded_amount: minorNumber().meta({ description: 'The total refunded so far.' }),
  fee_amount: minorNumber().meta({ description: 'Zero until the payment has succeeded.' }),
  net_amount: minorNumber().meta({ description: 'Zero until the payment has succeeded.' }),
  qr_code_id: z.uuid().nullable().optional(),
  payment_link_id: z
    .uuid()
    .nullable()
    .optional()
    .meta({ example: '0198c0de-7a11-7000-8000-000000000002' }),
  subscription_id: z
    .uuid()
    .optional()
    .meta({ description: 'Instead of the other two ids on charges of a subscription.' }),
  invoice_id: z
    .uuid()
    .optional()
    .meta({ description: 'The invoice that was paid on its page, instead of the other ids.' }),
  failure_reason: z.string().optional().meta({ description: 'On failed payments.' }),
  split_recipient_id: z.uuid().nullable(),
  customer: z.object({
    email: z.string().meta({ example: 'payer@example.com' }),
    name: z.string().nullable().meta({ example: 'A payer' }),
  }),
  method: z.string().nullable().meta({
    description: 'How the payer paid; null until the payment has succeeded.',
    example: 'card',
  }),
  reference: z
    .string()
    .nullable()
    .meta({ description: 'Of the link or QR code that was paid.', example: 'order-1001' }),
  metadata: metadataSchema,
  items: z
    .array(orderedItemSchema)
    .optional()
    .meta({ description: 'What was paid for, if the link has items.' }),
  payer_answers: payerAnswersSchema,
  refunds: z.array(refundSchema).meta({ description: 'Oldest first.' }),
  created_at: timestamp(),
  updated_at: timestamp(),
  settled_at: timestamp()
    .nullable()
    .meta({ description: 'When the provider made the money available.' }),
})

// Without its items and refunds: see `readPaymentRecords`.
export function presentPayment(payment: Payment, detail: PaymentDetail) {
  return {
    id: payment.id,
    amount: payment.amountMinor,
    currency: payment.currency,
    status: payment.status,
    refunded_amount: payment.refundedMinor,
    // Nothing is collected before a charge has succeeded.
    fee_amount: payment.feeMinor ?? 0n,
    net_amount: payment.netMinor ?? 0n,
    ...paymentSource(payment),
    ...(payment.invoiceId === null ? {} : { invoice_id: payment.invoiceId }),
    ...(payment.failureReason === null ? {} : { failure_reason: payment.failureReason }),
    split_recipient_id: payment.splitRecipientId,
    customer: { email: payment.payerEmail, name: payment.payerName },
    method: detail.method,
    reference: detail.reference,
    metadata: detail.metadata,
    ...presentAnswers(payment.payerAnswers),
    created_at: payment.createdAt,
    updated_at: payment.updatedAt,
    settled_at: payment.settledAt,
  }
}

// What was paid: the link and the code, of which one is null, or the subscription. Both are null
// for an invoice and for the check of a card, which pays for no period.
function paymentSource(payment: Payment) {
  if (payment.subscriptionId !== null) return { subscription_id: payment.subscriptionId }
  return { qr_code_id: payment.qrCodeId, payment_link_id: payment.paymentLinkId }
}

export function isOpen({ status }: Pick<Payment, 'status'>): boolean {
  return status === 'pending' || status === 'processing'
}

// Events contain the documented fields, the items of a link that has some, and the answers of the
// payer.
export function succeededEventData(payment: Payment, items: readonly OrderLine[]) {
  return {
    id: payment.id,
    amount: payment.amountMinor,
    currency: payment.currency,
    fee_amount: payment.feeMinor,
    net_amount: payment.netMinor,
    status: payment.status,
    ...paymentSource(payment),
    ...orderedItems(items),
    ...presentAnswers(payment.payerAnswers),
  }
}

export function failedEventData(payment: Payment, items: readonly OrderLine[]) {
  return {
    id: payment.id,
    amount: payment.amountMinor,
    currency: payment.currency,
    status: payment.status,
    failure_reason: payment.failureReason,
    ...paymentSource(payment),
    ...orderedItems(items),
    ...presentAnswers(payment.payerAnswers),
  }
}

export function orderedItems(items: readonly OrderLine[]) {
  return items.length === 0 ? {} : { items: presentOrder(items) }
}
