// Journals that a schedule posts, and those that wait for a person.
import { beforeEach, expect, it } from 'vitest'
import { getManualJournal } from '../../../src/books/journal/get-manual-journal.ts'
import { createRecurringJournal } from '../../../src/books/recurring/create-recurring-journal.ts'
import { discardRecurringJournal } from '../../../src/books/recurring/discard-recurring-journal.ts'
import { editRecurringJournal } from '../../../src/books/recurring/edit-recurring-journal.ts'
import { getRecurring } from '../../../src/books/recurring/get-recurring.ts'
import { pauseRecurring } from '../../../src/books/recurring/pause-recurring.ts'
import { postRecurringJournal } from '../../../src/books/recurring/post-recurring-journal.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { manualClock } from '../../support/clock.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { brokenInvariants, expectInvariants } from '../../support/invariants.ts'
import { makeDue } from '../../support/recurring.ts'
import { refusal } from '../../support/refusal.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock()
const world = useWorld({ clock })
let books: Books

const noon = (day: string) => clock.set(new Date(`${day}T12:00:00Z`))

beforeEach(async () => {
  noon('2027-01-15')
  books = await newBooks(world())
  return () => expectInvariants(world().database)
})

const lines = () => [
  { accountId: books.account('6350'), debit: '100', description: 'For {month}' },
  { accountId: books.account('2200'), credit: '100' },
]

const form = (mode: 'draft' | 'post') => ({
  name: 'Accrual',
  mode,
  intervalUnit: 'month' as const,
  intervalCount: 1,
  nextDay: '2027-01-31',
  times: 2,
  description: 'Accrual of {month} {year}',
  lines: lines(),
})

async function start(mode: 'draft' | 'post'): Promise<string> {
  return (await runOperation(createRecurringJournal, world().context, books.owner, form(mode))).id
}

const story = (id: string) => runOperation(getRecurring, world().context, books.owner, { id })

it('are posted once on their day', async () => {
  const id = await start('post')
  for (const day of ['2027-01-31', '2027-02-28']) {
    noon(day)
    await Promise.all([makeDue(world()), makeDue(world())])
    await makeDue(world())
  }
  const { periods, schedule } = await story(id)
  expect(schedule.status).toBe('ended')
  expect(periods.map(({ status, sequence }) => [status, sequence])).toEqual([
    ['made', 2n],
    ['made', 1n],
  ])
  const journalId = periods[0]?.journalId ?? ''
  expect(
    await runOperation(getManualJournal, world().context, books.owner, { id: journalId }),
  ).toMatchObject({
    date: '2027-02-28',
    description: 'Accrual of February 2027',
    lines: [{ description: 'For February', baseMinor: 10_000n }, { baseMinor: -10_000n }],
  })
})

const post = (id: string, date: string) =>
  runOperation(postRecurringJournal, world().context, books.owner, {
    scheduleId: id,
    number: 1,
    date,
    description: 'Accrual',
    lines: lines(),
  })

it('of a locked month wait with the reason until a person posts them', async () => {
  const id = await start('post')
  await books.set({ hard_locked_until: '2027-01-31' })
  noon('2027-01-31')
  await makeDue(world())
  const [period] = (await story(id)).periods
  expect(period).toMatchObject({ status: 'waiting', sequence: null })
  expect(period?.reason).toContain('The books are locked up to and including 2027-01-31')
  expect(await refusal(post(id, '2027-01-31'))).toContain('locked')
  await post(id, '2027-02-01')
  expect((await story(id)).periods).toMatchObject([{ status: 'made', reason: null, sequence: 1n }])
  expect(await refusal(post(id, '2027-02-01'))).toContain('It was posted or discarded already.')
})

it('that are left to people wait, and can be discarded', async () => {
  const id = await start('draft')
  noon('2027-01-31')
  await makeDue(world())
  expect((await story(id)).periods).toMatchObject([{ status: 'waiting', reason: null }])
  const key = { scheduleId: id, number: 1 }
  await runOperation(discardRecurringJournal, world().context, books.owner, key)
  expect((await story(id)).periods).toMatchObject([{ status: 'skipped', sequence: null }])
  expect(
    await refusal(runOperation(discardRecurringJournal, world().context, books.owner, key)),
  ).toContain('It was posted or discarded already.')
})

it('wait after four days', async () => {
  const id = await start('post')
  noon('2027-02-04')
  await makeDue(world())
  expect((await story(id)).periods).toMatchObject([{ status: 'waiting' }])
})

it('are refused if they do not balance, or from people who may not post', async () => {
  const unbalanced = { ...form('post'), lines: [...lines().slice(0, 1), ...lines().slice(0, 1)] }
  const create = (input: ReturnType<typeof form>, by = books.owner) =>
    refusal(runOperation(createRecurringJournal, world().context, by, input))
  expect(await create(unbalanced)).toContain('more than the credits')
  expect(await create({ ...form('post'), description: '{mnth}' })).toContain('{mnth}')
  const member = books.person('member')
  expect(await create(form('post'), member)).toContain('Only an owner, admin or approver')
  const id = await start('post')
  expect(await refusal(runOperation(pauseRecurring, world().context, member, { id }))).toContain(
    'Only an owner, admin or approver',
  )
})

it('are changed for what comes', async () => {
  const id = await start('post')
  const input = { ...form('draft'), id, version: 1, name: 'Other' }
  await runOperation(editRecurringJournal, world().context, books.owner, input)
  expect((await story(id)).schedule).toMatchObject({ name: 'Other', mode: 'draft', version: 2 })
})

it('a period whose journal is not in the books is found', async () => {
  const id = await start('draft')
  noon('2027-01-31')
  await makeDue(world())
  const { sql } = world().database
  const set = (status: string, endedAt: Date | null) => sql`
    update books.recurring_periods
    set status = ${status}, ended_at = ${endedAt}
    where business_id = ${books.businessId}
      and schedule_id = ${id}`
  await set('made', clock.now())
  expect(await brokenInvariants(world().database)).toEqual(['I14.51'])
  await set('waiting', null)
})
