// The due date of a document in the books can be agreed anew.
import { beforeEach, expect, it } from 'vitest'
import { changeDueDate } from '../../../src/books/documents/change-due-date.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { reportAged } from '../../../src/books/reports/get-aged-report.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { manualClock } from '../../support/clock.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { brokenInvariants } from '../../support/invariants.ts'
import { refusal } from '../../support/refusal.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock(new Date('2026-03-01T12:00:00Z'))
const world = useWorld({ clock })
const context = () => world().context
let books: Books
let id: string

beforeEach(async () => {
  clock.set(new Date('2026-03-01T12:00:00Z'))
  books = await newBooks(world())
  ;({ id } = await books.draft('invoice', { date: '2026-01-10', dueDate: '2026-01-20' }))
  await runOperation(issueDocument, context(), books.owner, { id })
})

const change = (dueDate: string, version?: number) =>
  runOperation(changeDueDate, context(), books.owner, { id, dueDate, version })

const buckets = async (asOf = '2026-03-01') => {
  const aged = await runOperation(reportAged, context(), books.owner, {
    side: 'receivables',
    asOf,
  })
  return aged.data.contacts[0]?.items.map(({ due_date }) => due_date)
}

it('changes lists and reports, and is in the audit log', async () => {
  const [before] = await world().database.sql`select snapshot from books.documents where id = ${id}`
  expect(await buckets()).toEqual(['2026-01-20'])
  expect(await change('2026-04-30')).toMatchObject({ status: 'posted', dueDate: '2026-04-30' })
  expect(await buckets()).toEqual(['2026-04-30'])
  const [act] = await world().database.sql`
    select actor_id, detail
    from kernel.audit_log
    where object_id = ${id}
      and action = 'invoice.change_due_date'`
  expect(act).toEqual({
    actorId: books.owner.personId,
    detail: { from: '2026-01-20', to: '2026-04-30' },
  })
  const [after] = await world().database.sql`select snapshot from books.documents where id = ${id}`
  expect(after).toEqual(before)
  expect(await brokenInvariants(world().database)).toEqual([])
})

it('is not before the date, nor of a version that no one has seen', async () => {
  expect(await refusal(change('2026-01-09'))).toBe('Must not be before 2026-01-10, the date.')
  expect(await refusal(change('2026-04-30', 99))).toContain('Someone else has changed it')
  await change('2026-01-10')
})

it('does not change reports of days before', async () => {
  await change('2026-04-30')
  clock.set(new Date('2026-03-05T12:00:00Z'))
  await change('2026-05-31')
  const days = ['2026-02-28', '2026-03-01', '2026-03-04', '2026-03-05']
  const shown = await Promise.all(days.map(buckets))
  expect(shown.flat()).toEqual(['2026-01-20', '2026-04-30', '2026-04-30', '2026-05-31'])
})
