// The events of the merchant interface, as its description shows them. What is sent is made where
// it happens (`payment.ts`, `payout.ts`, `settle-refund.ts`); a test holds both against each other.
import { z } from 'zod'
import type { EventContract, WebhookContract } from '../../kernel/http/service.ts'
import { timestamp } from '../../kernel/operations/schemas.ts'
import { payerAnswersSchema } from '../payment-links/payer-fields.ts'
import { orderedItemSchema } from '../payment-links/payment-link-item.ts'
import { paymentStatuses } from '../payments/payment.ts'
import { payoutStatuses } from '../payouts/payout.ts'

export const merchantEventTypes = [
  'payment.succeeded',
  'payment.failed',
  'payment.refunded',
  'payout.completed',
  'payout.failed',
] as const

const minor = (example: number) => z.int().meta({ 'x-unit': 'minor', example })
const currency = z.string().meta({ example: 'NGN' })

const paymentSource = {
  qr_code_id: z.uuid().nullable().optional(),
  payment_link_id: z.uuid().nullable().optional(),
  subscription_id: z
    .uuid()
    .optional()
    .meta({ description: 'Instead of the other two ids on charges of a subscription.' }),
  items: z
    .array(orderedItemSchema)
    .optional()
    .meta({ description: 'What was paid for, if the link has items.' }),
  payer_answers: payerAnswersSchema,
}

const paymentSucceeded = z.object({
  id: z.uuid(),
  amount: minor(450_000),
  currency,
  fee_amount: minor(6_750),
  net_amount: minor(443_250),
  status: z.enum(paymentStatuses).meta({ example: 'succeeded' }),
  ...paymentSource,
})

const paymentFailed = z.object({
  id: z.uuid(),
  amount: minor(450_000),
  currency,
  status: z.enum(paymentStatuses).meta({ example: 'failed' }),
  failure_reason: z.string().nullable().meta({ example: 'Insufficient funds' }),
  ...paymentSource,
})

const paymentRefunded = z.object({
  id: z.uuid(),
  amount: minor(450_000).meta({ description: 'Of the payment.' }),
  refunded_amount: minor(150_000).meta({ description: 'The total refunded so far.' }),
  refund_amount: minor(50_000).meta({ description: 'Of this refund.' }),
  currency,
  status: z.enum(paymentStatuses).meta({ example: 'partially_refunded' }),
  fully_refunded: z.boolean().meta({ example: false }),
})

const payoutCompleted = z.object({
  id: z.uuid(),
  amount: minor(10_000_000),
  currency,
  status: z.enum(payoutStatuses).meta({ example: 'completed' }),
})

const payoutFailed = payoutCompleted.extend({
  status: z.enum(payoutStatuses).meta({ example: 'failed' }),
  failure_reason: z.string().nullable().meta({ example: 'Account closed' }),
})

function event(
  type: (typeof merchantEventTypes)[number],
  summary: string,
  data: z.ZodType,
): EventContract {
  return { type, summary, body: z.object({ type: z.literal(type), created_at: timestamp(), data }) }
}

export const merchantWebhookContract: WebhookContract = {
  signature:
    'To verify, compute the hex HMAC-SHA256 of `<X-Service-Timestamp>.<raw body>` with the whole ' +
    'secret (`whsec_…`) as the key, compare it with `X-Service-Signature` in constant time, and ' +
    'refuse a timestamp more than 300 seconds from your clock.',
  headers: {
    'X-Service-Event': 'The event type.',
    'X-Service-Timestamp': 'Unix seconds at send time.',
    'X-Service-Signature': 'Hex HMAC-SHA256 of `<timestamp>.<raw body>`.',
    'X-Service-Event-Id': 'The same in every attempt: what to deduplicate by.',
  },
  events: [
    event(
      'payment.succeeded',
      'A charge of a link, QR code or subscription succeeded',
      paymentSucceeded,
    ),
    event(
      'payment.failed',
      'A charge was declined or did not complete, or a renewal failed',
      paymentFailed,
    ),
    event('payment.refunded', 'A full or partial refund was executed', paymentRefunded),
    event('payout.completed', 'A payout to the settlement account was confirmed', payoutCompleted),
    event('payout.failed', 'A payout to the settlement account failed', payoutFailed),
  ],
}
