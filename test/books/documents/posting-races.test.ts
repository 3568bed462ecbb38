// Issuing while someone changes what it depends on: the draft, the lock date, the number pattern.
// The second sees what the first did, and all invariants hold.

import { expect, it } from 'vitest'
import { listDocumentLines } from '../../../src/books/documents/document-store.ts'
import { editDocument } from '../../../src/books/documents/edit-document.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { allocateCredit } from '../../../src/books/payments/allocate-credit.ts'
import { recordPayment } from '../../../src/books/payments/record-payment.ts'
import { removeAllocation } from '../../../src/books/payments/remove-allocation.ts'
import { setLockDates } from '../../../src/books/settings/set-lock-dates.ts'
import { setNumberPattern } from '../../../src/books/settings/set-number-pattern.ts'
import { Fault } from '../../../src/kernel/basics/fault.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { brokenInvariants } from '../../support/invariants.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const context = () => world().context
const date = '2026-03-01'

async function drafts(books: Books, count: number): Promise<string[]> {
  const contactId = (await books.contact()).id
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) {
    ids.push((await books.draft('invoice', { contactId, date })).id)
  }
  return ids
}

// What came through; whatever did not was refused and is no bug.
async function through<Value>(works: readonly Promise<Value>[]): Promise<Value[]> {
  const results = await Promise.allSettled(works)
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(Fault)
  }
  expect(await brokenInvariants(world().database)).toEqual([])
  return results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}

it('a draft that is edited while it is issued is issued as one of the two', async () => {
  const books = await newBooks(world())
  const line = { description: 'Other', unitPrice: '7', accountId: books.account('4100') }
  for (const id of await drafts(books, 4)) {
    const form = { contactId: (await books.contact()).id, date, lines: [line] }
    await through<unknown>([
      runOperation(issueDocument, context(), books.owner, { id }),
      runOperation(editDocument, context(), books.owner, { id, version: 1, ...form }),
    ])
    const lines = await listDocumentLines(world().database.sql, books, id)
    const [entry] = await world().database.sql<{ baseMinor: bigint }[]>`
      select sum(base_minor)::bigint as base_minor
      from books.journal_lines
      where business_id = ${books.businessId}
        and open_item_id = ${id}`
    expect(entry?.baseMinor).toBe(lines.reduce((sum, { grossMinor }) => sum + grossMinor, 0n))
  }
})

it('what is issued while the books are locked is in them before the lock, or refused', async () => {
  const books = await newBooks(world())
  const ids = await drafts(books, 16)
  const issue = (id: string) => runOperation(issueDocument, context(), books.owner, { id })
  const lock = () => runOperation(setLockDates, context(), books.owner, { hardLockedUntil: date })
  const works = [...ids.slice(0, 8).map(issue), lock(), ...ids.slice(8).map(issue)]
  await through<unknown>(works)
  const again = await through(ids.map(issue))
  expect(again).toEqual([])
})

it('a pattern that changes meanwhile leaves no gap and repeats no number', async () => {
  const books = await newBooks(world())
  const ids = await drafts(books, 16)
  const patterns = ['A{000}', 'INV-{YYYY}-{00000}', 'B-{YYYY}-{0}']
  const issued = await through<unknown>([
    ...ids.map((id) => runOperation(issueDocument, context(), books.owner, { id })),
    ...patterns.map((pattern) =>
      runOperation(setNumberPattern, context(), books.owner, { kind: 'invoice', pattern }),
    ),
  ])
  expect(issued).toHaveLength(19)
})

it('a credit that is used while its use is taken back is used once at most', async () => {
  const books = await newBooks(world())
  const ids = await drafts(books, 2)
  for (const id of ids) await runOperation(issueDocument, context(), books.owner, { id })
  const [first = '', second = ''] = ids
  const { contactId } = await recordedContact(books, first)
  const payment = await runOperation(recordPayment, context(), books.owner, {
    direction: 'in',
    contactId,
    date,
    currency: 'EUR',
    amount: '100',
    accountId: books.account('1000'),
  })
  const use = (documentId: string) =>
    runOperation(allocateCredit, context(), books.owner, { creditId: payment.id, documentId, date })
  const { id: allocationId } = await use(first)
  await through<unknown>([
    runOperation(removeAllocation, context(), books.owner, { allocationId, date }),
    use(second),
    runOperation(removeAllocation, context(), books.owner, { allocationId, date }),
    use(first),
  ])
  const [row] = await world().database.sql<{ count: number }[]>`
    select count(*)::integer as count
    from books.allocations
    where business_id = ${books.businessId}
      and removed_at is null`
  expect(row?.count).toBeLessThanOrEqual(1)
})

async function recordedContact({ businessId }: Books, id: string) {
  const [row] = await world().database.sql<{ contactId: string }[]>`
    select contact_id
    from books.documents
    where business_id = ${businessId}
      and id = ${id}`
  if (!row) throw new Error('no such document')
  return row
}
