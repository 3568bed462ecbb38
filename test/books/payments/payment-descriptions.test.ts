import { expect, it } from 'vitest'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { recordPayment } from '../../../src/books/payments/record-payment.ts'
import { setNumberPattern } from '../../../src/books/settings/set-number-pattern.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { newBooks } from '../../support/documents.ts'
import { brokenInvariants } from '../../support/invariants.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

// Letters beyond the first 65,536 are two units each in memory. Half of one is stored as a sign
// that the hash of the entry has not seen, and the journal would look as if it had been changed.
it.each(['A', 'AB'])('a payment of many invoices cuts no letter in two: %s', async (name) => {
  const { context, database } = world()
  const books = await newBooks(world())
  const pattern = `${'𠮷'.repeat(16)}{0}`
  await runOperation(setNumberPattern, context, books.owner, { kind: 'invoice', pattern })
  const { id: contact_id } = await books.contact({ name })
  const ids: string[] = []
  for (let count = 0; count < 32; count += 1) {
    const { id } = await books.draft('invoice', { contactId: contact_id, date: '2026-01-10' })
    ids.push((await runOperation(issueDocument, context, books.owner, { id })).id)
  }
  const payment = await runOperation(recordPayment, context, books.owner, {
    ...{ direction: 'in', contactId: contact_id, date: '2026-01-20', currency: 'EUR' },
    ...{ amount: '3200', accountId: books.account('1000') },
    allocations: ids.map((itemId) => ({ itemId, amount: '100' })),
  })
  const [entry] = await database.sql<{ description: string }[]>`
    select description
    from books.journal_entries
    where source_id = ${payment.id}`
  expect([...(entry?.description ?? '')]).toHaveLength(500)
  expect(entry?.description).not.toContain('\ufffd')
  expect(await brokenInvariants(database)).toEqual([])
})
