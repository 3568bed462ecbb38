// Every page and form of the application.

import type { AccessOperations } from '../kernel/access/access-operations.ts'
import { accountForms } from './account/account-forms.tsx'
import { accountPages } from './account/account-page.tsx'
import { factorForms } from './account/factor-forms.tsx'
import { passkeyForms } from './account/passkey-forms.tsx'
import { accountsPages } from './accounts/accounts-pages.tsx'
import { approvalForms } from './approvals/approval-forms.tsx'
import { approvalPages } from './approvals/approval-page.tsx'
import { approvalsPages } from './approvals/approvals-page.tsx'
import { balancePages } from './balances/balance-page.tsx'
import { batchPages } from './batches/batch-pages.tsx'
import { bulkDownloads } from './batches/bulk-downloads.ts'
import { bulkForms } from './batches/bulk-forms.tsx'
import { contactForms } from './contacts/contact-forms.tsx'
import { contactPages } from './contacts/contact-page.tsx'
import { contactsPages } from './contacts/contacts-page.tsx'
import { statementPages } from './contacts/statement-page.tsx'
import { customersPages } from './customers/customers-pages.tsx'
import { developersPages } from './developers/developers-page.tsx'
import { eventsPages } from './developers/events-pages.tsx'
import { keysPages } from './developers/keys-pages.tsx'
import { requestsPages } from './developers/requests-page.tsx'
import type { WebhookService } from './developers/webhook-service.ts'
import { webhooksPages } from './developers/webhooks-pages.tsx'
import { decideRefundForm } from './discrepancies/decide-refund-form.tsx'
import { discrepanciesPages } from './discrepancies/discrepancies-pages.tsx'
import { disputePages } from './disputes/dispute-page.tsx'
import { disputesPages } from './disputes/disputes-page.tsx'
import { evidenceForm } from './disputes/evidence-form.tsx'
import { attachmentForms } from './documents/attachment-forms.tsx'
import { documentPages } from './documents/document-page.tsx'
import { documentsPages } from './documents/documents-page.tsx'
import { moneyForms } from './documents/money-forms.tsx'
import { quotePages } from './documents/quote-page.tsx'
import { removalForms } from './documents/removal-forms.tsx'
import { salesForms } from './documents/sales-forms.tsx'
import { transitionForms } from './documents/transition-forms.tsx'
import { writeOffForms } from './documents/write-off-forms.tsx'
import { documentEditors } from './editor/document-editor.tsx'
import { quoteEditors } from './editor/quote-editor.tsx'
import { homePages } from './home/home-page.tsx'
import { importPages } from './imports/import-page.tsx'
import { itemsPages } from './items/items-pages.tsx'
import { journalEntryPages } from './journal/entry-page.tsx'
import { journalListPages } from './journal/journal-page.tsx'
import { manualJournalForms } from './journal/manual-journal-forms.tsx'
import { leadRoutes } from './leads/lead-routes.ts'
import { mailRoutes } from './mails/mail-routes.ts'
import { paymentLinkForm } from './payment-links/payment-link-form.tsx'
import { paymentLinksPages } from './payment-links/payment-links-pages.tsx'
import { cancelForm } from './payments/cancel-form.tsx'
import { paymentPages } from './payments/payment-page.tsx'
import { paymentsPages } from './payments/payments-page.tsx'
import { refundForm } from './payments/refund-form.tsx'
import { bankAccountForm } from './payouts/bank-accounts.tsx'
import { payoutForms } from './payouts/payout-forms.tsx'
import { payoutPages } from './payouts/payout-page.tsx'
import { payoutsPages } from './payouts/payouts-page.tsx'
import { removeAccountForm } from './payouts/remove-account-form.tsx'
import { qrCodeForm } from './qr-codes/qr-code-form.tsx'
import { qrCodesPages } from './qr-codes/qr-codes-pages.tsx'
import { recipientsPages } from './recipients/recipients-pages.tsx'
import { recurringRoutes } from './recurring/recurring-routes.ts'
import { reportRoutes } from './reports/report-routes.ts'
import { searchPages } from './search/search-page.tsx'
import { serviceMoneyRoutes } from './service-money/service-money-routes.ts'
import { auditLogPages } from './settings/audit-log-page.tsx'
import { booksSettingsRoutes } from './settings/books-settings-routes.ts'
import { brandForms } from './settings/brand-forms.tsx'
import { brandPages } from './settings/brand-page.tsx'
import { businessForm, businessPages } from './settings/business-pages.tsx'
import { feesPages } from './settings/fees-page.tsx'
import { refundKeysForm } from './settings/refund-keys-form.tsx'
import { settingsPages } from './settings/settings-page.tsx'
import { teamForms } from './settings/team-forms.tsx'
import { teamPages } from './settings/team-page.tsx'
import { thresholdForm } from './settings/threshold-form.tsx'
import { thresholdsPages } from './settings/thresholds-page.tsx'
import { verificationForm } from './settings/verification-form.tsx'
import { settlementsPages } from './settlements/settlements-page.tsx'
import type { AppRoute } from './shell/define-page.ts'
import { livePages } from './shell/live-page.ts'
import { subscriptionForms } from './subscriptions/subscription-forms.tsx'
import { subscriptionPages } from './subscriptions/subscription-page.tsx'
import { subscriptionsPages } from './subscriptions/subscriptions-page.tsx'

export type AppParts = {
  // False while the server stops.
  readonly isOpen: () => boolean
  readonly access: AccessOperations
  readonly webhooks: readonly WebhookService[]
}

export function appRoutes(parts: AppParts): AppRoute[] {
  const routes = placesAndForms(parts)
  return [...routes, ...searchPages(routes)]
}

function placesAndForms({ access, webhooks, isOpen }: AppParts): AppRoute[] {
  return [
    ...homePages(access, webhooks),
    ...paymentsPages,
    ...paymentPages,
    ...customersPages,
    ...refundForm,
    ...cancelForm,
    ...approvalsPages,
    ...approvalPages,
    ...approvalForms,
    ...paymentLinksPages,
    ...paymentLinkForm,
    ...qrCodesPages,
    ...qrCodeForm,
    ...subscriptionsPages,
    ...subscriptionForms,
    ...subscriptionPages,
    ...recipientsPages,
    ...payoutsPages,
    ...payoutForms,
    ...payoutPages,
    ...bankAccountForm,
    ...removeAccountForm,
    ...balancePages,
    ...settlementsPages,
    ...disputesPages,
    ...disputePages,
    ...evidenceForm,
    ...discrepanciesPages,
    ...contactsPages,
    ...contactForms,
    ...contactPages,
    ...statementPages,
    ...itemsPages,
    ...leadRoutes,
    ...accountsPages,
    ...manualJournalForms,
    ...journalListPages,
    ...journalEntryPages,
    ...serviceMoneyRoutes,
    ...reportRoutes,
    ...decideRefundForm,
    ...documentsPages,
    ...bulkForms,
    ...bulkDownloads,
    ...batchPages,
    ...recurringRoutes,
    ...documentEditors,
    ...quoteEditors,
    ...documentPages,
    ...quotePages,
    ...transitionForms,
    ...salesForms,
    ...moneyForms,
    ...writeOffForms,
    ...removalForms,
    ...attachmentForms,
    ...developersPages,
    ...keysPages(access),
    ...requestsPages(access),
    ...eventsPages(webhooks),
    ...webhooks.flatMap(webhooksPages),
    ...settingsPages(access),
    ...businessPages,
    ...businessForm,
    ...brandPages,
    ...brandForms,
    ...teamPages(access),
    ...thresholdsPages,
    ...feesPages,
    ...auditLogPages(access),
    ...thresholdForm,
    ...booksSettingsRoutes(access),
    ...importPages,
    ...mailRoutes,
    ...refundKeysForm,
    ...verificationForm,
    ...teamForms(access),
    ...accountPages,
    ...accountForms,
    ...factorForms,
    ...passkeyForms,
    ...livePages(access, isOpen),
  ]
}
