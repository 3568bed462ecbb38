// Each invariant of the journal holds for posted entries, and detects its kind of damage. The
// damage is done with all triggers off, as by a broken disk or a careless operator.

import { beforeEach, expect, test } from 'vitest'
import { approveDocument } from '../../../src/books/documents/approve-document.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { voidDocument } from '../../../src/books/documents/void-document.ts'
import { booksInvariants } from '../../../src/books/invariants.ts'
import { reverseEntry } from '../../../src/books/journal/post-entry.ts'
import type { Tx } from '../../../src/kernel/db/database.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { newBooks } from '../../support/documents.ts'
import { type Books, newJournal } from '../../support/journal.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let books: Books

const sale = [
  ['1000', 12_000n],
  ['4000', -10_000n],
  ['2100', -2_000n],
] as const

async function corrupt(work: (tx: Tx) => Promise<unknown>): Promise<void> {
  await world().database.transaction(async (tx) => {
    await tx`set local session_replication_role = replica`
    await work(tx)
  })
}

beforeEach(async () => {
  await corrupt(
    (tx) => tx`
      truncate books.journal_lines, books.journal_entries, books.account_months,
        books.account_days, books.journal_heads, books.documents, books.number_counters,
        books.open_items, books.allocations cascade`,
  )
  books = await newJournal(world())
  await books.post('2026-01-31', sale)
  await books.post('2026-02-01', sale)
  await world().database.transaction((tx) =>
    reverseEntry(tx, world().context, books.owner, {
      sequence: 1n,
      kind: 'journal.reversed',
      date: '2026-02-03',
      description: 'Taken back',
    }),
  )
  expect(await broken()).toEqual({})
})

async function broken() {
  const found: Record<string, readonly Record<string, unknown>[]> = {}
  for (const invariant of booksInvariants) {
    if (!invariant.id.startsWith('I14.')) continue
    const { sql } = world().database
    const violations = await invariant.violations(sql, world().context.clock.now())
    if (violations.length > 0) found[invariant.id] = violations
  }
  return found
}

const at = (sequence: bigint) => ({ ...books.tenant, sequence })

test('a changed amount is found by everything that counts it', async () => {
  await corrupt(
    (tx) =>
      tx`update books.journal_lines set base_minor = 11999 where base_minor = 12000 and sequence = 2`,
  )
  const accountId = books.accountId('1000')
  expect(await broken()).toEqual({
    'I14.1': [at(2n)],
    'I14.3': [{ ...at(2n), problem: 'the entry does not match its hash' }],
    'I14.5': [{ ...books.tenant, month: '2026-02-01', accountId }],
    'I14.6': [{ ...books.tenant, date: '2026-02-01', accountId }],
  })
})

test('a changed description is found by the chain', async () => {
  await corrupt(
    (tx) => tx`update books.journal_entries set description = 'Else' where sequence = 2`,
  )
  expect(await broken()).toEqual({
    'I14.3': [{ ...at(2n), problem: 'the entry does not match its hash' }],
  })
})

test('an entry that was removed from the middle is found', async () => {
  await corrupt(async (tx) => {
    await tx`delete from books.journal_entries where sequence = 2`
    await tx`delete from books.journal_lines where sequence = 2`
    await tx`delete from books.account_days where date = '2026-02-01'`
    await tx`update books.account_months set base_minor = 2 * base_minor where month = '2026-02-01'`
    await tx`
      update books.account_months
      set base_minor = (
        select sum(base_minor)
        from books.journal_lines
        where account_id = account_months.account_id and date >= '2026-02-01'
      )
      where month = '2026-02-01'`
  })
  expect(await broken()).toEqual({
    'I14.3': [{ ...at(3n), problem: 'entries before it are missing' }],
  })
})

test('entries that were cut off at the end are found', async () => {
  await corrupt(async (tx) => {
    await tx`delete from books.journal_entries where sequence = 3`
    await tx`delete from books.journal_lines where sequence = 3`
  })
  expect(await broken()).toMatchObject({
    'I14.3': [{ ...at(3n), problem: 'the last entries are missing' }],
  })
})

test('a head that was moved back is found, and one that is not of its entry', async () => {
  await corrupt((tx) => tx`update books.journal_heads set sequence = 2 where sequence = 3`)
  expect(await broken()).toEqual({
    'I14.3': [{ ...at(2n), problem: 'the last entry does not match the head' }],
    'I14.4': [at(3n)],
  })
})

test('an entry without lines, and lines without an entry, are found', async () => {
  await corrupt((tx) => tx`delete from books.journal_lines where sequence = 2`)
  expect(await broken()).toMatchObject({ 'I14.1': [at(2n)] })
  await corrupt((tx) => tx`delete from books.journal_entries where sequence = 1`)
  expect(await broken()).toMatchObject({ 'I14.1': [at(1n), at(2n)] })
})

test('a line of another day than its entry is found', async () => {
  await corrupt(
    (tx) =>
      tx`update books.journal_lines set date = '2026-02-02' where sequence = 2 and position = 1`,
  )
  expect(await broken()).toMatchObject({ 'I14.1': [at(2n)] })
})

test('a reversal that is not the exact negative is found', async () => {
  const otherAccount = books.accountId('4100')
  await corrupt(
    (tx) =>
      tx`update books.journal_lines set account_id = ${otherAccount} where sequence = 3 and position = 2`,
  )
  expect(await broken()).toMatchObject({ 'I14.2': [at(3n)] })
})

test('sums that are not those of the lines are found, also where there are no lines', async () => {
  const accountId = books.accountId('6000')
  await corrupt(async (tx) => {
    const row = { ...books.tenant, accountId, baseMinor: 5n }
    await tx`insert into books.account_months ${tx({ ...row, month: '2026-03-01' })}`
    await tx`insert into books.account_days ${tx({ ...row, date: '2026-03-07' })}`
  })
  expect(await broken()).toEqual({
    'I14.5': [{ ...books.tenant, month: '2026-03-01', accountId }],
    'I14.6': [{ ...books.tenant, date: '2026-03-07', accountId }],
    'I14.7': [{ ...books.tenant, date: '2026-03-07' }],
  })
})

test('an account that went missing breaks the balance of its days', async () => {
  const id = books.accountId('4000')
  await corrupt((tx) => tx`delete from books.accounts where id = ${id}`)
  expect(await broken()).toMatchObject({
    'I14.7': ['2026-01-31', '2026-02-01', '2026-02-03'].map((date) => ({ ...books.tenant, date })),
  })
})

test('a gap in the numbers is found, and a counter that is not at their end', async () => {
  const { context } = world()
  const documents = await newBooks(world(), books.tenant)
  for (let count = 0; count < 3; count += 1) {
    const { id } = await documents.draft('invoice', { date: '2026-05-01' })
    await runOperation(issueDocument, context, documents.owner, { id })
  }
  expect(await broken()).toEqual({})
  const series = { ...books.tenant, kind: 'invoice', period: '2026' }
  await corrupt(
    (tx) => tx`update books.documents set number_position = 9 where number_position = 2`,
  )
  expect(await broken()).toMatchObject({ 'I14.8': [{ ...series, positionMax: 9n }] })
  await corrupt(
    (tx) => tx`update books.documents set number_position = 2 where number_position = 9`,
  )
  await corrupt((tx) => tx`update books.number_counters set last_number = 4`)
  expect(await broken()).toMatchObject({ 'I14.8': [{ ...series, lastNumber: 4n, numbers: 3n }] })
})

test('a document without its entry is found, a draft with one, and a void one that still stands', async () => {
  const { context } = world()
  const documents = await newBooks(world(), books.tenant)
  const [first, second] = [await documents.draft('bill'), await documents.draft('bill')]
  await runOperation(approveDocument, context, documents.owner, { id: first.id })
  await runOperation(approveDocument, context, documents.owner, { id: second.id })
  await runOperation(voidDocument, context, documents.owner, { id: second.id })
  expect(await broken()).toEqual({})
  const found = (documentId: string) => expect.objectContaining({ ...books.tenant, documentId })
  const draft = await documents.draft('bill')
  await corrupt(
    (tx) =>
      tx`update books.journal_entries set source_id = ${draft.id} where source_id = ${first.id}`,
  )
  const { 'I14.9': both = [] } = await broken()
  expect(both).toHaveLength(2)
  expect(both).toEqual(expect.arrayContaining([found(first.id), found(draft.id)]))
  await corrupt(
    (tx) =>
      tx`update books.journal_entries set source_id = ${first.id} where source_id = ${draft.id}`,
  )
  await corrupt(
    (tx) => tx`
      update books.journal_entries
      set source_id = ${first.id}
      where source_id = ${second.id} and reverses_sequence is not null`,
  )
  expect(await broken()).toMatchObject({ 'I14.9': [found(second.id)] })
})
