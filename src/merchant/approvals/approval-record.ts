// An approval as the interface shows it: what waits for a second person, and what became of it.
import { z } from 'zod'
import { minorNumber, timestamp } from '../../kernel/operations/schemas.ts'
import { type Approval, heldOperations } from './approval.ts'

const shownStatuses = ['pending', 'approved', 'rejected', 'expired', 'void'] as const
export type ShownStatus = (typeof shownStatuses)[number]

export const approvalSchema = z.object({
  id: z.uuid(),
  operation: z.enum(heldOperations),
  status: z.enum(shownStatuses).meta({
    description:
      '`void` when it can no longer be done, or was withdrawn. Only `approved` is executed.',
  }),
  reason: z.string().nullable().meta({ description: 'Why it was rejected or became void.' }),
  payment_id: z.uuid().nullable().meta({ description: 'Of a refund.' }),
  payout_id: z.uuid().nullable().meta({ description: 'Of a payout.' }),
  currency: z.string().nullable(),
  amount_minor: minorNumber().nullable(),
  created_at: timestamp(),
  expires_at: timestamp(),
  decided_at: timestamp().nullable(),
})

export function presentApproval(approval: Omit<Approval, 'requestHash'>, now: Date) {
  const { id, operation, objectId, request, createdAt, expiresAt, decidedAt } = approval
  const { currency = null, amountMinor = null } = request
  return {
    id,
    operation,
    status: shownStatus(approval, now),
    reason: approval.state === 'withdrawn' ? 'Withdrawn by the requester.' : approval.reason,
    payment_id: operation === 'refund' ? objectId : null,
    payout_id: operation === 'payout' ? objectId : null,
    currency,
    amount_minor: amountMinor === null ? null : BigInt(amountMinor),
    created_at: createdAt,
    expires_at: expiresAt,
    decided_at: decidedAt,
  }
}

// The job that expires approvals may be a moment late.
export function shownStatus(
  { state, expiresAt }: Pick<Approval, 'state' | 'expiresAt'>,
  now: Date,
): ShownStatus {
  if (state === 'withdrawn') return 'void'
  return state === 'pending' && expiresAt <= now ? 'expired' : state
}
