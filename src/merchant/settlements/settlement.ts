// A settlement: a payment whose money the provider has made available, with what became of it.
//
//   gross what the payer paid; fee + net
//   refunded refunds until now, inside or after the range
//   net_settled net − split_amount − refunded: what the merchant was credited. Below zero after a
//                full refund, since the merchant bears the fee and the recipient's share
import { z } from 'zod'
import { majorNumber, minorNumber, timestamp } from '../../kernel/operations/schemas.ts'

// From `since` (inclusive) to `before` (exclusive).
export type SettledRange = {
  readonly since: Date
  readonly before: Date
  readonly splitRecipientId: string | undefined
}

export type Settlement = {
  readonly id: string
  readonly currency: string
  readonly grossMinor: bigint
  readonly feeMinor: bigint
  readonly netMinor: bigint
  readonly refundedMinor: bigint
  readonly splitRecipientId: string | null
  readonly splitMinor: bigint | null
  readonly passedOverRecipientId: string | null
  // As PostgreSQL writes it, with microseconds: payments are ordered and paged by them.
  readonly settledAtUtc: string
}

type Credited = Pick<Settlement, 'netMinor' | 'refundedMinor' | 'splitMinor'>

export function netSettledMinor({ netMinor, refundedMinor, splitMinor }: Credited): bigint {
  return netMinor - (splitMinor ?? 0n) - refundedMinor
}

const amounts = {
  gross: majorNumber().meta({ description: 'What the payer paid; fee + net.' }),
  fee: majorNumber(),
  net: majorNumber(),
  refunded: majorNumber().meta({
    description: 'Refunds until now, even after the range.',
  }),
  net_settled: majorNumber().meta({
    description: 'What the merchant was credited: net − the recipient’s share − refunded.',
  }),
}

const amountsMinor = {
  gross_minor: minorNumber(),
  fee_minor: minorNumber(),
  net_minor: minorNumber(),
  refunded_minor: minorNumber(),
  net_settled_minor: minorNumber(),
}

export const settlementSchema = z.object({
  payment_id: z.uuid(),
  currency: z.string(),
  ...amounts,
  split_recipient_id: z.uuid().nullable().meta({ description: 'The recipient of a share.' }),
  split_amount: majorNumber().nullable().meta({ description: 'The share, taken from the net.' }),
  passed_over_recipient_id: z.uuid().nullable().meta({
    description:
      'The recipient that was disabled when the payer paid; the share settled to the merchant.',
  }),
  settled_at: timestamp(),
  ...amountsMinor,
  split_amount_minor: minorNumber().nullable(),
})

export type SettlementColumn = keyof typeof settlementSchema.shape

// The same in both formats.
export const settlementColumns = Object.keys(settlementSchema.shape) as SettlementColumn[]

export const settlementsSchema = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  data: z.array(settlementSchema),
  summary: z
    .array(
      z.object({
        currency: z.string(),
        count: z.int(),
        ...amounts,
        split: majorNumber().meta({ description: 'The shares of recipients, taken from the net.' }),
        ...amountsMinor,
        split_minor: minorNumber(),
      }),
    )
    .meta({ description: 'The sums of `data`, per currency.' }),
})
