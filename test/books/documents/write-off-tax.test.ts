import { expect, it } from 'vitest'
import { createAccount } from '../../../src/books/accounts/create-account.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { writeOffInvoice } from '../../../src/books/payments/write-off-invoice.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { newBooks } from '../../support/documents.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

it('tax comes back from where its code has booked it, and nothing else does', async () => {
  const { context, database } = world()
  const books = await newBooks(world())
  const { id: accountId } = await runOperation(createAccount, context, books.owner, {
    code: '2110',
    name: 'Value added tax',
    type: 'liability',
    subtype: 'current_liability',
  })
  const { id: tax_code_id } = await books.taxCode('20', { accountId })
  const { id: documentId } = await books.draft('invoice', {
    date: '2026-01-10',
    lines: [
      {
        description: 'Work',
        unitPrice: '100',
        accountId: books.account('4000'),
        taxCodeId: tax_code_id,
      },
      // Duty that was paid for the customer, booked where tax is.
      { description: 'Duty', unitPrice: '30', accountId: books.account('2100') },
    ],
  })
  await runOperation(issueDocument, context, books.owner, { id: documentId })
  const { id } = await runOperation(writeOffInvoice, context, books.owner, {
    documentId,
    date: '2026-02-01',
    claimsTaxRelief: true,
  })
  const lines = await database.sql`
    select account.code, line.base_minor
    from books.journal_entries as entry
    join books.journal_lines as line using (business_id, environment, sequence)
    join books.accounts as account
      on account.business_id = line.business_id
      and account.id = line.account_id
    where entry.business_id = ${books.businessId}
      and entry.source_id = ${id}
    order by account.code`
  expect([...lines]).toEqual([
    { code: '1100', baseMinor: -15_000n },
    { code: '2110', baseMinor: 2_000n },
    { code: '6800', baseMinor: 13_000n },
  ])
})
