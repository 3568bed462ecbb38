import { expect, it } from 'vitest'
import type { Approval } from '../../../src/merchant/approvals/approval.ts'
import { presentApproval } from '../../../src/merchant/approvals/approval-record.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const refund = {
  id: 'an-approval',
  operation: 'refund',
  objectId: 'a-payment',
  request: { currency: 'NGN', amountMinor: '150000' },
  expiresAt: new Date('2026-03-31T12:00:00.000Z'),
  createdAt: now,
} as const

it.each([
  ['pending', null, 'pending', null],
  ['approved', null, 'approved', null],
  ['rejected', 'Not agreed.', 'rejected', 'Not agreed.'],
  ['expired', null, 'expired', null],
  ['void', 'The payment has changed.', 'void', 'The payment has changed.'],
  ['withdrawn', null, 'void', 'Withdrawn by the requester.'],
] as const)('an approval that is %s is shown with its reason', (state, stored, status, reason) => {
  const approval = { ...refund, state, reason: stored, decidedAt: null } as unknown as Approval
  expect(presentApproval(approval, now)).toMatchObject({
    status,
    reason,
    payment_id: 'a-payment',
    payout_id: null,
    amount_minor: 150_000n,
  })
})
