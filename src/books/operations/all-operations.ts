// All operations of the books.
import type { Operation } from '../../kernel/operations/operation.ts'
import { createAccount } from '../accounts/create-account.ts'
import { listAccounts } from '../accounts/list-accounts.ts'
import { listChart } from '../accounts/list-chart.ts'
import { updateAccount } from '../accounts/update-account.ts'
import { updateAccounts } from '../accounts/update-accounts.ts'
import { attachmentOperations } from '../attachments/operations.ts'
import { batchOperations } from '../batches/operations.ts'
import { contactOperations } from '../contacts/operations.ts'
import type { BooksContext } from '../context.ts'
import { listCurrencies } from '../currencies/list-currencies.ts'
import { listExchangeRates } from '../currencies/list-exchange-rates.ts'
import { revalueBalances } from '../currencies/revalue-balances.ts'
import { setExchangeRate } from '../currencies/set-exchange-rate.ts'
import { approveDocument } from '../documents/approve-document.ts'
import { changeDueDate } from '../documents/change-due-date.ts'
import { createDocument } from '../documents/create-document.ts'
import { discardDocument } from '../documents/discard-document.ts'
import { drawSampleDocument } from '../documents/draw-sample-document.ts'
import { editDocument } from '../documents/edit-document.ts'
import { findEditorChoices } from '../documents/find-editor-choices.ts'
import { getDocument } from '../documents/get-document.ts'
import { getDocumentFile } from '../documents/get-document-file.ts'
import { getDocumentStory } from '../documents/get-document-story.ts'
import { getEditorFacts } from '../documents/get-editor-facts.ts'
import { issueAndSendDocument } from '../documents/issue-and-send-document.ts'
import { issueDocument } from '../documents/issue-document.ts'
import { listApprovalLimits } from '../documents/list-approval-limits.ts'
import { listDocuments } from '../documents/list-documents.ts'
import { markDocumentSent } from '../documents/mark-document-sent.ts'
import { reopenDocument } from '../documents/reopen-document.ts'
import { returnDocument } from '../documents/return-document.ts'
import { searchDocuments } from '../documents/search-documents.ts'
import { sendDocument } from '../documents/send-document.ts'
import { setApprovalLimit } from '../documents/set-approval-limit.ts'
import { submitDocument } from '../documents/submit-document.ts'
import { voidDocument } from '../documents/void-document.ts'
import { withdrawDocument } from '../documents/withdraw-document.ts'
import { downloadOperations } from '../downloads/operations.ts'
import { exportJournal } from '../export/export-journal.ts'
import { confirmImport, undoImport } from '../imports/confirm-import.ts'
import { importCsv } from '../imports/import-csv.ts'
import { getImport, listImports } from '../imports/list-imports.ts'
import { startImport } from '../imports/start-import.ts'
import { createItem } from '../items/create-item.ts'
import { listItems } from '../items/list-items.ts'
import { updateItem } from '../items/update-item.ts'
import { getJournalEntry } from '../journal/get-journal-entry.ts'
import { getManualJournal } from '../journal/get-manual-journal.ts'
import { listJournalEntries } from '../journal/list-journal-entries.ts'
import { listManualJournals } from '../journal/list-manual-journals.ts'
import { postManualJournal } from '../journal/post-manual-journal.ts'
import { postOpeningBalances } from '../journal/post-opening-balances.ts'
import { reverseManualJournal } from '../journal/reverse-manual-journal.ts'
import { createLead } from '../leads/create-lead.ts'
import { editLead } from '../leads/edit-lead.ts'
import { getLead } from '../leads/get-lead.ts'
import { listLeads } from '../leads/list-leads.ts'
import { loseLead } from '../leads/lose-lead.ts'
import { moveLead } from '../leads/move-lead.ts'
import { winLead } from '../leads/win-lead.ts'
import { allocateCredit } from '../payments/allocate-credit.ts'
import { getBookedPayment } from '../payments/get-booked-payment.ts'
import { listAllocations } from '../payments/list-allocations.ts'
import { listOpenItems } from '../payments/list-open-items.ts'
import { listPayments } from '../payments/list-payments.ts'
import { previewPayment } from '../payments/preview-payment.ts'
import { recordPayment } from '../payments/record-payment.ts'
import { refundCredit } from '../payments/refund-credit.ts'
import { removeAllocation } from '../payments/remove-allocation.ts'
import { removePayment } from '../payments/remove-payment.ts'
import { writeOffBill } from '../payments/write-off-bill.ts'
import { writeOffInvoice } from '../payments/write-off-invoice.ts'
import { createQuote } from '../quotes/create-quote.ts'
import { decideQuote } from '../quotes/decide-quote.ts'
import { editQuote } from '../quotes/edit-quote.ts'
import { getQuote } from '../quotes/get-quote.ts'
import { getQuoteFile } from '../quotes/get-quote-file.ts'
import { getQuoteStory } from '../quotes/get-quote-story.ts'
import { invoiceQuote } from '../quotes/invoice-quote.ts'
import { listQuotes } from '../quotes/list-quotes.ts'
import { reviseQuote } from '../quotes/revise-quote.ts'
import { searchQuotes } from '../quotes/search-quotes.ts'
import { sendQuote } from '../quotes/send-quote.ts'
import { recurringOperations } from '../recurring/operations.ts'
import { reminderOperations } from '../reminders/operations.ts'
import { reportOperations } from '../reports/operations.ts'
import { assignServicePayment } from '../service-money/assign-service-payment.ts'
import { bookLinkPayment } from '../service-money/book-link-payment.ts'
import { bookLinkRefund } from '../service-money/book-link-refund.ts'
import { bookPayout } from '../service-money/book-payout.ts'
import { getClearing } from '../service-money/get-clearing.ts'
import { getServiceMoney } from '../service-money/get-service-money.ts'
import { getServiceTasks } from '../service-money/get-service-tasks.ts'
import { linkInvoice } from '../service-money/link-invoice.ts'
import { listInvoicesToAssign } from '../service-money/list-invoices-to-assign.ts'
import { listServiceMovements } from '../service-money/list-service-movements.ts'
import { listServicePayments } from '../service-money/list-service-payments.ts'
import { retryServiceMoney } from '../service-money/retry-service-money.ts'
import { setServiceMoney } from '../service-money/set-service-money.ts'
import { getOrganisation } from '../settings/get-organisation.ts'
import { listNumberPatterns } from '../settings/list-number-patterns.ts'
import { setLockDates } from '../settings/set-lock-dates.ts'
import { setNumberPattern } from '../settings/set-number-pattern.ts'
import { updateOrganisation } from '../settings/update-organisation.ts'
import { createTaxCode } from '../taxes/create-tax-code.ts'
import { listTaxCodes } from '../taxes/list-tax-codes.ts'
import { updateTaxCode } from '../taxes/update-tax-code.ts'

export const booksOperations: readonly Operation<BooksContext>[] = [
  updateOrganisation,
  setLockDates,
  setNumberPattern,
  createAccount,
  updateAccount,
  updateAccounts,
  createTaxCode,
  updateTaxCode,
  setExchangeRate,
  ...contactOperations,
  createItem,
  updateItem,
  setApprovalLimit,
  createDocument,
  editDocument,
  submitDocument,
  withdrawDocument,
  returnDocument,
  approveDocument,
  reopenDocument,
  issueDocument,
  issueAndSendDocument,
  sendDocument,
  markDocumentSent,
  changeDueDate,
  voidDocument,
  discardDocument,
  ...batchOperations,
  ...downloadOperations,
  ...recurringOperations,
  ...reminderOperations,
  ...attachmentOperations,
  createQuote,
  editQuote,
  sendQuote,
  reviseQuote,
  decideQuote,
  invoiceQuote,
  createLead,
  editLead,
  moveLead,
  winLead,
  loseLead,
  recordPayment,
  removePayment,
  allocateCredit,
  removeAllocation,
  refundCredit,
  writeOffInvoice,
  writeOffBill,
  bookLinkPayment,
  bookLinkRefund,
  bookPayout,
  setServiceMoney,
  linkInvoice,
  assignServicePayment,
  retryServiceMoney,
  postManualJournal,
  reverseManualJournal,
  postOpeningBalances,
  revalueBalances,
  importCsv,
  startImport,
  confirmImport,
  undoImport,
  getOrganisation,
  listNumberPatterns,
  listApprovalLimits,
  listAccounts,
  listChart,
  listDocuments,
  searchDocuments,
  getDocument,
  getDocumentStory,
  findEditorChoices,
  getEditorFacts,
  getDocumentFile,
  drawSampleDocument,
  listImports,
  getImport,
  listItems,
  listTaxCodes,
  listExchangeRates,
  listCurrencies,
  getJournalEntry,
  listJournalEntries,
  listManualJournals,
  getManualJournal,
  listLeads,
  getLead,
  listQuotes,
  searchQuotes,
  getQuote,
  getQuoteStory,
  getQuoteFile,
  listPayments,
  previewPayment,
  getBookedPayment,
  getServiceMoney,
  listServiceMovements,
  listServicePayments,
  listInvoicesToAssign,
  getClearing,
  getServiceTasks,
  listOpenItems,
  listAllocations,
  ...reportOperations,
  exportJournal,
]
