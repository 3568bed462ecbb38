// All operations of this service. The table of roles, the docs and the pages are computed from this
// list.

import { approveApproval } from './approvals/approve-approval.ts'
import { getApproval } from './approvals/get-approval.ts'
import { getApprovalCount } from './approvals/get-approval-count.ts'
import { getApprovalWarnings } from './approvals/get-approval-warnings.ts'
import { listApprovals } from './approvals/list-approvals.ts'
import { listThresholds } from './approvals/list-thresholds.ts'
import { rejectApproval } from './approvals/reject-approval.ts'
import { requestThreshold } from './approvals/request-threshold.ts'
import { setDefaultThreshold } from './approvals/set-default-threshold.ts'
import { withdrawApproval } from './approvals/withdraw-approval.ts'
import { listBalanceEntries } from './balances/list-balance-entries.ts'
import { listBalances } from './balances/list-balances.ts'
import { withdrawFromWallet } from './balances/withdraw-from-wallet.ts'
import { getAccount } from './business/get-account.ts'
import { listSettlementAccounts } from './business/list-settlement-accounts.ts'
import { removeSettlementAccount } from './business/remove-settlement-account.ts'
import { setRefundKeys } from './business/set-refund-keys.ts'
import { setSettlementAccount } from './business/set-settlement-account.ts'
import { addDisputeNote } from './chargebacks/add-dispute-note.ts'
import { exportDisputes } from './chargebacks/export-disputes.ts'
import { getDisputeStory } from './chargebacks/get-dispute-story.ts'
import { getDisputeTotals, listDisputes } from './chargebacks/list-disputes.ts'
import { getCustomer } from './customers/get-customer.ts'
import { listCustomers } from './customers/list-customers.ts'
import { listDiscrepancies } from './discrepancies/list-discrepancies.ts'
import { resolveDiscrepancy } from './discrepancies/resolve-discrepancy.ts'
import { listFeeSchedules } from './fees/list-fee-schedules.ts'
import { setFeeSchedule } from './fees/set-fee-schedule.ts'
import { listUnknownOutcomes } from './outcomes/list-unknown-outcomes.ts'
import { liftPauses } from './pauses/lift-pauses.ts'
import { listPauses } from './pauses/list-pauses.ts'
import { setPauses } from './pauses/set-pauses.ts'
import { getPayerMails } from './payer-mails/get-payer-mails.ts'
import { setPayerMails } from './payer-mails/set-payer-mails.ts'
import { createPaymentLink } from './payment-links/create-payment-link.ts'
import { getPaymentLink } from './payment-links/get-payment-link.ts'
import { listPaymentLinks } from './payment-links/list-payment-links.ts'
import { updatePaymentLink } from './payment-links/update-payment-link.ts'
import { updatePaymentLinkItem } from './payment-links/update-payment-link-item.ts'
import { cancelPayment } from './payments/cancel-payment.ts'
import { exportPayments } from './payments/export-payments.ts'
import { getPayment } from './payments/get-payment.ts'
import { getPaymentStory } from './payments/get-payment-story.ts'
import { getPaymentTimeline } from './payments/get-payment-timeline.ts'
import { getPaymentTotals } from './payments/get-payment-totals.ts'
import { listPayments } from './payments/list-payments.ts'
import { cancelPayout } from './payouts/cancel-payout.ts'
import { createPayout } from './payouts/create-payout.ts'
import { getPayout } from './payouts/get-payout.ts'
import { getPayoutStory } from './payouts/get-payout-story.ts'
import { listPayouts } from './payouts/list-payouts.ts'
import { createQrCode } from './qr-codes/create-qr-code.ts'
import { getQrCode } from './qr-codes/get-qr-code.ts'
import { listQrCodes } from './qr-codes/list-qr-codes.ts'
import { updateQrCode } from './qr-codes/update-qr-code.ts'
import { createRecipient } from './recipients/create-recipient.ts'
import { getRecipient } from './recipients/get-recipient.ts'
import { listRecipients } from './recipients/list-recipients.ts'
import { updateRecipient } from './recipients/update-recipient.ts'
import { decideRefund } from './refunds/decide-refund.ts'
import { listPaymentRefunds } from './refunds/list-payment-refunds.ts'
import { refundPayment } from './refunds/refund-payment.ts'
import { getSettlementSummary } from './settlements/get-settlement-summary.ts'
import { listSettlements } from './settlements/list-settlements.ts'
import { getSubscriberPage } from './subscriber-pages/get-subscriber-page.ts'
import { renewSubscriberPage } from './subscriber-pages/renew-subscriber-page.ts'
import { cancelSubscription } from './subscriptions/cancel-subscription.ts'
import { createPlan } from './subscriptions/create-plan.ts'
import { createSubscription } from './subscriptions/create-subscription.ts'
import { getSubscription } from './subscriptions/get-subscription.ts'
import { listPlans } from './subscriptions/list-plans.ts'
import { listSubscriptions } from './subscriptions/list-subscriptions.ts'
import { createVerification } from './verification/create-verification.ts'
import { setKycStatus } from './verification/set-kyc-status.ts'
import { getVolumes } from './volumes/get-volumes.ts'

export const merchantOperations = [
  listPayments,
  exportPayments,
  getPaymentTotals,
  getPayment,
  getPaymentStory,
  getPaymentTimeline,
  listCustomers,
  getCustomer,
  cancelPayment,
  refundPayment,
  listPaymentRefunds,
  listPaymentLinks,
  getPaymentLink,
  createPaymentLink,
  updatePaymentLink,
  updatePaymentLinkItem,
  listQrCodes,
  getQrCode,
  createQrCode,
  updateQrCode,
  getRecipient,
  listRecipients,
  createRecipient,
  updateRecipient,
  listPayouts,
  getPayout,
  getPayoutStory,
  createPayout,
  cancelPayout,
  listSettlements,
  getSettlementSummary,
  listApprovals,
  getApprovalCount,
  getApproval,
  getApprovalWarnings,
  approveApproval,
  rejectApproval,
  withdrawApproval,
  listThresholds,
  requestThreshold,
  listDisputes,
  getDisputeTotals,
  exportDisputes,
  getDisputeStory,
  addDisputeNote,
  listDiscrepancies,
  resolveDiscrepancy,
  decideRefund,
  listUnknownOutcomes,
  getVolumes,
  listBalances,
  listBalanceEntries,
  withdrawFromWallet,
  getSubscription,
  getSubscriberPage,
  listPlans,
  createPlan,
  listSubscriptions,
  createSubscription,
  cancelSubscription,
  renewSubscriberPage,
  listFeeSchedules,
  getAccount,
  listSettlementAccounts,
  setSettlementAccount,
  removeSettlementAccount,
  setRefundKeys,
  getPayerMails,
  setPayerMails,
  createVerification,
  // For the operator only.
  setKycStatus,
  setFeeSchedule,
  setDefaultThreshold,
  listPauses,
  setPauses,
  liftPauses,
]
