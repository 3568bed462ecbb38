// The jobs and schedules of the whole program, for the worker, and how each service sends its
// events.

import { expireWaitingFilesSchedule } from '../books/attachments/expire-waiting-files.ts'
import { finishBatchJob } from '../books/batches/finish-batch.ts'
import { drawDocumentJob } from '../books/documents/draw-document.ts'
import { expireImportFilesSchedule } from '../books/imports/import-file.ts'
import { runImportJob } from '../books/imports/run-import.ts'
import { expireQuotesSchedule } from '../books/quotes/expire-quotes.ts'
import { makeRecurringSchedule } from '../books/recurring/make-recurring.ts'
import { remindInvoicesSchedule } from '../books/reminders/remind-invoices.ts'
import { sendStatementsSchedule } from '../books/statements/monthly/send-monthly-statements.ts'
import { booksWebhooks } from '../books/webhooks/webhook-profile.ts'
import { bookServiceMoneySchedule } from '../bridge/book-service-money.ts'
import { chargeRecurringSchedule } from '../bridge/charge-recurring.ts'
import { payerMailJob, subscriberMailJob } from '../bridge/payer-mail-job.ts'
import { expireApiRequestsSchedule } from '../kernel/access/expire-api-requests.ts'
import { mailPasswordResetJob } from '../kernel/account/request-password-reset.ts'
import { sealAuditLogSchedule } from '../kernel/auth/seal-audit-log.ts'
import { sweepSignInsSchedule } from '../kernel/auth/sweep-sign-ins.ts'
import { finishEndpointsSchedule } from '../kernel/endpoints/finish-endpoints.ts'
import type { Job } from '../kernel/jobs/job.ts'
import { defineSchedule, type Schedule } from '../kernel/jobs/schedule.ts'
import { foldLedgers } from '../kernel/ledger/fold-ledgers.ts'
import { expireMailsSchedule } from '../kernel/mail/expire-mails.ts'
import { sendMailJob } from '../kernel/mail/send-mail.ts'
import { mailNoticeJob } from '../kernel/notices/notify.ts'
import { sweepFormsSchedule } from '../kernel/web/submit-once.ts'
import { expireResponsesSchedule } from '../kernel/webhooks/expire-responses.ts'
import type { WebhookProfile } from '../kernel/webhooks/profile.ts'
import { expireApprovalsSchedule } from '../merchant/approvals/expire-approvals.ts'
import {
  findChargebacksJob,
  reconcileChargebacksSchedule,
} from '../merchant/chargebacks/find-chargebacks.ts'
import type { MerchantContext } from '../merchant/context.ts'
import {
  reconcileChargesSchedule,
  reconcileOlderChargesSchedule,
} from '../merchant/discrepancies/reconcile-charges.ts'
import { reconcileSplitsSchedule } from '../merchant/discrepancies/reconcile-splits.ts'
import { expireProviderMessagesSchedule } from '../merchant/payments/expire-messages.ts'
import { pollPaymentJob, pollStalePaymentsSchedule } from '../merchant/payments/poll-payment.ts'
import { resolvePaymentJob } from '../merchant/payments/receive-provider-message.ts'
import { sealProviderMessagesSchedule } from '../merchant/payments/seal-messages.ts'
import { resolvePayoutJob, resolvePayoutsSchedule } from '../merchant/payouts/resolve-payouts.ts'
import { resolveRecipientsSchedule } from '../merchant/recipients/resolve-recipients.ts'
import { reconcileRefundsSchedule } from '../merchant/refunds/reconcile-refunds.ts'
import { resolveRefundsSchedule } from '../merchant/refunds/resolve-refunds.ts'
import { renewSubscriptionsSchedule } from '../merchant/subscriptions/renew-subscriptions.ts'
import { resolveScheduleCharges } from '../merchant/subscriptions/resolve-schedule-charges.ts'
import { resolveVerificationsSchedule } from '../merchant/verification/resolve-verifications.ts'
import { merchantWebhooks } from '../merchant/webhooks/webhook-profile.ts'

export const jobs: readonly Job<MerchantContext, never>[] = [
  pollPaymentJob,
  resolvePaymentJob,
  resolvePayoutJob,
  findChargebacksJob,
  sendMailJob,
  mailPasswordResetJob,
  mailNoticeJob,
  payerMailJob,
  subscriberMailJob,
  drawDocumentJob,
  finishBatchJob,
  runImportJob,
]

export const webhookProfiles: readonly WebhookProfile[] = [merchantWebhooks, booksWebhooks]

export const schedules: readonly Schedule<MerchantContext>[] = [
  sealAuditLogSchedule,
  sweepFormsSchedule,
  sweepSignInsSchedule,
  finishEndpointsSchedule,
  expireMailsSchedule,
  expireResponsesSchedule,
  expireApiRequestsSchedule,
  resolveRefundsSchedule,
  resolveRecipientsSchedule,
  resolvePayoutsSchedule,
  renewSubscriptionsSchedule,
  resolveScheduleCharges,
  reconcileChargesSchedule,
  reconcileOlderChargesSchedule,
  reconcileSplitsSchedule,
  reconcileRefundsSchedule,
  reconcileChargebacksSchedule,
  pollStalePaymentsSchedule,
  expireApprovalsSchedule,
  expireProviderMessagesSchedule,
  sealProviderMessagesSchedule,
  resolveVerificationsSchedule,
  expireQuotesSchedule,
  expireWaitingFilesSchedule,
  expireImportFilesSchedule,
  makeRecurringSchedule,
  chargeRecurringSchedule,
  remindInvoicesSchedule,
  sendStatementsSchedule,
  bookServiceMoneySchedule,
  defineSchedule({
    name: 'fold-ledgers',
    everySeconds: 10,
    run: async (context: MerchantContext, signal) => {
      await foldLedgers(context, signal)
    },
  }),
]
