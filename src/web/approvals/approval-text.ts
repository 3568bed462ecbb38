// What an approval asks for, in one line.

import type { ApprovalOperation, ThresholdKind } from '../../merchant/approvals/approval.ts'
import type { ApprovalView } from '../../merchant/approvals/read-approval-views.ts'
import { formatMoney } from '../components/money.tsx'
import { thresholdLabels } from '../components/threshold-labels.ts'

export const kindLabels: Readonly<Record<ApprovalOperation, string>> = {
  refund: 'Refunds',
  payout: 'Payouts',
  threshold: 'Thresholds',
  settlement_account: 'Bank accounts',
  role: 'Roles',
  second_factor: 'Second factors',
}

export function approvalTitle({ operation, request, subjectName }: ApprovalView): string {
  const subject = subjectName ?? request.email ?? 'a member'
  if (operation === 'role') return `Make ${subject} ${request.role ?? ''}`
  if (operation === 'second_factor') return `Reset the second factor of ${subject}`
  if (operation === 'settlement_account') {
    return request.removes
      ? `Remove the bank account for payouts: ····${request.beforeAccountEnding ?? ''}`
      : `Bank account for payouts: ····${request.accountEnding ?? ''}`
  }
  const amount =
    request.amountMinor && request.currency
      ? formatMoney(BigInt(request.amountMinor), request.currency)
      : 'none'
  if (operation === 'refund') return `Refund of ${amount}`
  if (operation === 'payout') return `Payout of ${amount}`
  return `${thresholdLabels[request.operation as ThresholdKind]}: ${amount}`
}
