// Templates of manual journals and recurring journals, through the pages.
import { beforeEach, expect, it } from 'vitest'
import { getJournalEntry } from '../../../src/books/journal/get-journal-entry.ts'
import { postManualJournal } from '../../../src/books/journal/post-manual-journal.ts'
import { getRecurring } from '../../../src/books/recurring/get-recurring.ts'
import { addDays } from '../../../src/kernel/basics/calendar.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { tokenField } from '../../../src/web/shell/token-field.ts'
import { type AppVisitor, appVisitor, fieldsOf } from '../../support/app-visitor.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { makeDue } from '../../support/recurring.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const dayFromNow = (days: number) =>
  addDays(world().context.clock.now().toISOString().slice(0, 10), days)
let books: Books
let owner: AppVisitor

beforeEach(async () => {
  books = await newBooks(world())
  owner = await appVisitor(world(), books.businessId)
  return () => expectInvariants(world().database)
})

async function posted(): Promise<{ id: string; sequence: bigint }> {
  await books.rate('USD', dayFromNow(-10), '0.9')
  return runOperation(postManualJournal, world().context, books.owner, {
    date: dayFromNow(-5),
    description: 'Depreciation',
    lines: [
      { accountId: books.account('6350'), debit: '90', description: 'Machine' },
      { accountId: books.account('2200'), credit: '100', currency: 'USD' },
    ],
  })
}

it('a journal is saved as a template, used with all its values, and the template deleted', async () => {
  const { sequence } = await posted()
  const saved = await owner.submit(`/journal/${sequence}/template`, { name: 'Machine' })
  expect(saved.status).toBe(303)
  const again = await owner.submit(`/journal/${sequence}/template`, { name: 'Machine' })
  expect(again.text).toContain('Another template has this name.')
  const list = (await owner.get('/journal/templates')).text
  const id = /journal\/new\?template=([^"]+)"/.exec(list)?.[1] ?? ''
  const form = `/journal/new?template=${id}`
  expect(fieldsOf((await owner.get(form)).text)).toMatchObject({
    description: 'Depreciation',
    debit_1: '90',
    text_1: 'Machine',
    credit_2: '100',
    currency_2: 'USD',
    base_2: '90',
  })
  const answer = await owner.submit(form)
  expect(answer.headers.get('location')).toMatch(/\/journal\/2$/)
  const entry = await runOperation(getJournalEntry, world().context, books.owner, { sequence: 2n })
  expect(entry.lines.map(({ currency, baseMinor }) => [currency, baseMinor])).toEqual([
    ['EUR', 9000n],
    ['USD', -9000n],
  ])
  const token = { [tokenField]: world().context.ids.uuid() }
  expect((await owner.post(`/journal/templates/${id}/delete`, token)).status).toBe(303)
  expect((await owner.get(form)).status).toBe(404)
})

it('a journal is made recurring, and one that waits is posted by a person', async () => {
  const { id: journalId, sequence } = await posted()
  expect((await owner.get(`/journal/${sequence}`)).text).toContain(
    `new-journal?journal=${journalId}`,
  )
  const made = await owner.submit(`/recurring/new-journal?journal=${journalId}`, {
    name: 'Depreciation',
    mode: 'draft',
    nextDay: dayFromNow(0),
  })
  const id = /\/recurring\/([^/]+)$/.exec(made.headers.get('location') ?? '')?.[1] ?? ''
  await makeDue(world())
  expect((await owner.get(`/recurring/${id}`)).text).toContain(`/recurring/${id}/journals/1`)
  const member = await appVisitor(world(), books.businessId, 'member')
  expect((await member.get(`/recurring/${id}`)).text).not.toContain(`/recurring/${id}/journals/1`)
  const answer = await owner.submit(`/recurring/${id}/journals/1`)
  expect(answer.headers.get('location')).toMatch(/\/journal\/2$/)
  expect((await owner.get('/journal/2')).text).toContain(`/recurring/${id}`)
  expect((await owner.submit(`/recurring/${id}/journals/1/discard`)).text).toContain(
    'It was posted or discarded already.',
  )
  await owner.submit(`/recurring/${id}/edit-journal`, { name: 'Other' })
  const { schedule } = await runOperation(getRecurring, world().context, books.owner, { id })
  expect(schedule).toMatchObject({ name: 'Other', nextNumber: 2 })
})
