import { describeDocumentReads } from '../../support/document-reads.ts'

describeDocumentReads({
  path: '/books/api/v1/invoices',
  name: 'invoice',
  kinds: ['invoice', 'credit_note'],
  others: ['bill', 'supplier_credit', 'expense_claim'],
})
