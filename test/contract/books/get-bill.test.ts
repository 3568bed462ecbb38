import { describeDocumentReads } from '../../support/document-reads.ts'

describeDocumentReads({
  path: '/books/api/v1/bills',
  name: 'bill',
  kinds: ['bill', 'supplier_credit', 'expense_claim'],
  others: ['invoice', 'credit_note'],
})
