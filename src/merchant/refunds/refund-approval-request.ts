// What an approver agrees to: this amount of this payment, as it was then. If anything has changed,
// so has the hash, and the approval executes nothing.
import type { ApprovalRequest } from '../approvals/approval.ts'
import type { ResolvedRefund } from './reserve-refund.ts'

export function refundApprovalRequest({ payment, amountMinor }: ResolvedRefund): ApprovalRequest {
  return {
    paymentId: payment.id,
    currency: payment.currency,
    amountMinor: amountMinor.toString(),
    paymentAmountMinor: payment.amountMinor.toString(),
    refundedMinor: payment.refundedMinor.toString(),
  }
}
