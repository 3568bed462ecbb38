// A refund as the interface shows it.
import { z } from 'zod'
import { minorNumber, timestamp } from '../../kernel/operations/schemas.ts'
import { approvalSchema } from '../approvals/approval-record.ts'
import type { Refund, RefundStatus } from './refund.ts'

const shownStatuses = ['pending', 'succeeded', 'failed'] as const

export const refundSchema = z.object({
  id: z.uuid(),
  amount: minorNumber(),
  currency: z.string(),
  status: z.enum(shownStatuses).meta({
    description:
      '`succeeded` when the provider has accepted it; `pending` until its answer is known.',
    example: 'succeeded',
  }),
  cause: z.string().meta({
    description:
      '`requested`, which counts towards `refunded_amount`. The others are made by the service: ' +
      '`late_success`, `overpayment` and `repeated_charge` return what the payment did not want. ' +
      '`card_check` returns what was charged to check a new card of a subscription; it counts too.',
    example: 'requested',
  }),
  failure_reason: z.string().optional().meta({ description: 'On failed refunds.' }),
  created_at: timestamp(),
})

const shownAs: Readonly<Record<RefundStatus, (typeof shownStatuses)[number]>> = {
  pending: 'pending',
  accepted: 'succeeded',
  settled: 'succeeded',
  failed: 'failed',
  reversed: 'failed',
}

export const idempotentReplay = z.literal(true).optional().meta({
  description: 'On a repeat, which gets the first refund as it is now.',
})

// A refund that waits for a second person, or waited when its key was first used.
export const heldRefundSchema = z.object({
  requiresApproval: z.literal(true),
  approvalId: z.uuid(),
  paymentId: z.uuid(),
  approvalStatus: approvalSchema.shape.status.optional().meta({
    description:
      'On a repeat: the status that `GET /approvals/{id}` shows. Unless it is `pending`, nothing ' +
      'was refunded, and a new refund needs a new key.',
  }),
  idempotentReplay,
})

export function presentRefund(refund: Refund) {
  const status = shownAs[refund.status]
  return {
    id: refund.id,
    amount: refund.amountMinor,
    currency: refund.currency,
    status,
    cause: refund.cause,
    // The provider's own text is not for callers.
    ...(status === 'failed' && { failure_reason: 'The payment provider did not make the refund.' }),
    created_at: refund.createdAt,
  }
}
