import { defineService, type Service } from '../kernel/http/service.ts'
import { accountSchema } from './accounts/account.ts'
import { listAccountsRoute } from './accounts/list-accounts.ts'
import { contactSchema } from './contacts/contact.ts'
import { createContactRoute } from './contacts/create-contact.ts'
import { listContactsRoute } from './contacts/list-contacts.ts'
import type { BooksContext } from './context.ts'
import { createInvoiceRoute } from './documents/create-document.ts'
import { documentRecord, documentRecordWithLines } from './documents/document-record.ts'
import { getBillRoute, getInvoiceRoute } from './documents/get-document.ts'
import { listBillsRoute, listInvoicesRoute } from './documents/list-documents.ts'
import { getBalanceSheetRoute } from './reports/get-balance-sheet.ts'
import { getProfitAndLossRoute } from './reports/get-profit-and-loss.ts'
import { getTrialBalanceRoute } from './reports/get-trial-balance.ts'
import { booksWebhookContract } from './webhooks/event-contracts.ts'

export const booksService: Service<BooksContext> = defineService({
  name: 'books',
  keyPrefix: 'acct',
  scopes: ['read', 'write'],
  impliedScopes: { write: ['read'] },
  title: 'Accounting',
  description:
    "An organisation's books: documents, contacts, the chart of accounts and reports. Only " +
    'drafts can be created through the interface; a person reviews and issues them in the ' +
    'application.',
  version: '1.0.0',
  basePath: '/books/api/v1',
  leavesOutNulls: true,
  tags: [
    { name: 'Invoices', description: 'Invoices and credit notes to customers.' },
    {
      name: 'Bills',
      description: 'Bills, supplier credits and expense claims.',
    },
    { name: 'Contacts', description: 'Customers and suppliers.' },
    { name: 'Accounts', description: 'The chart of accounts.' },
    {
      name: 'Reports',
      description: 'Financial reports in the base currency.',
    },
  ],
  webhooks: booksWebhookContract,
  resources: {
    Document: documentRecord,
    DocumentWithLines: documentRecordWithLines,
    Contact: contactSchema,
    Account: accountSchema,
  },
  routes: [
    listInvoicesRoute,
    createInvoiceRoute,
    getInvoiceRoute,
    listBillsRoute,
    getBillRoute,
    listContactsRoute,
    createContactRoute,
    listAccountsRoute,
    getProfitAndLossRoute,
    getBalanceSheetRoute,
    getTrialBalanceRoute,
  ],
})
