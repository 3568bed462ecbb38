import type { ThresholdKind } from '../../merchant/approvals/approval.ts'

export const thresholdLabels: Readonly<Record<ThresholdKind, string>> = {
  refund: 'Refunds of one payment above',
  payout: 'Payouts above',
  daily_payouts: 'All payouts of a day above',
  overdraft: 'Refunds that overdraw the balance by more than',
}
