import { expect, it } from 'vitest'
import { discardDocument } from '../../../src/books/documents/discard-document.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { voidDocument } from '../../../src/books/documents/void-document.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { newBooks } from '../../support/documents.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const context = () => world().context

it('fifty invoices issued at once have fifty numbers without a gap or a repeat', async () => {
  const books = await newBooks(world())
  const contact_id = (await books.contact()).id
  const drafts: string[] = []
  for (let index = 0; index < 50; index += 1) {
    // A few are refused on their way, after others have taken numbers.
    const currency = index % 10 === 3 ? 'USD' : 'EUR'
    drafts.push(
      (await books.draft('invoice', { contactId: contact_id, currency, date: '2026-03-01' })).id,
    )
  }
  const outcomes = await Promise.allSettled(
    drafts.map((id) => runOperation(issueDocument, context(), books.owner, { id })),
  )
  const issued = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  expect(issued).toHaveLength(45)
  expect(issued.map(({ number }) => number).toSorted()).toEqual(
    issued.map((_, index) => `INV-2026-${String(index + 1).padStart(5, '0')}`),
  )
  const sequences = await world().database.sql<{ sequence: bigint }[]>`
    select sequence
    from books.journal_entries
    where business_id = ${books.businessId}
    order by sequence`
  expect(sequences.map(({ sequence }) => sequence)).toEqual(
    issued.map((_, index) => BigInt(index + 1)),
  )
})

it('an invoice issued twice at once is issued once', async () => {
  const books = await newBooks(world())
  const { id } = await books.draft()
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () => runOperation(issueDocument, context(), books.owner, { id })),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ kind: 'conflict' })
  }
})

it('a draft that is issued and discarded at once is one or the other', async () => {
  const books = await newBooks(world())
  const { id } = await books.draft()
  const [issued, discarded] = await Promise.allSettled([
    runOperation(issueDocument, context(), books.owner, { id }),
    runOperation(discardDocument, context(), books.owner, { id }),
  ])
  expect([issued.status, discarded.status].toSorted()).toEqual(['fulfilled', 'rejected'])
})

it('an invoice voided twice at once is reversed once', async () => {
  const books = await newBooks(world())
  const { id } = await books.draft()
  await runOperation(issueDocument, context(), books.owner, { id })
  await Promise.allSettled(
    [1, 2, 3].map(() => runOperation(voidDocument, context(), books.owner, { id })),
  )
  const [row] = await world().database.sql`
    select count(*)::int as entries, count(reverses_sequence)::int as reversals
    from books.journal_entries
    where business_id = ${books.businessId}`
  expect(row).toEqual({ entries: 2, reversals: 1 })
})
