// What schedules make, and that each period is made once: over years, outages, repeated runs, two
// workers at once and processes that stop in between.
import { beforeEach, describe, expect, it } from 'vitest'
import { updateContact } from '../../../src/books/contacts/update-contact.ts'
import { getDocument } from '../../../src/books/documents/get-document.ts'
import { endRecurring } from '../../../src/books/recurring/end-recurring.ts'
import { getRecurring } from '../../../src/books/recurring/get-recurring.ts'
import { makeRecurringSchedule } from '../../../src/books/recurring/make-recurring.ts'
import { addDays } from '../../../src/kernel/basics/calendar.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { manualClock } from '../../support/clock.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { brokenInvariants, expectInvariants } from '../../support/invariants.ts'
import { makeDue, newSchedule, type ScheduleForm } from '../../support/recurring.ts'
import { withRepeatedTransactions } from '../../support/repeated-transactions.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock()
const world = useWorld({ clock })
let books: Books

const noon = (day: string) => clock.set(new Date(`${day}T12:00:00Z`))
const made: string[] = []

beforeEach(async () => {
  noon('2027-01-15')
  books = await newBooks(world())
  return async () => {
    await expectInvariants(world().database)
    // The worker serves all businesses, so the next test would go on with it.
    for (const id of made.splice(0)) await endQuietly(id)
  }
})

async function schedule(input: Partial<ScheduleForm> & { nextDay: string }) {
  const { id } = await newSchedule(world(), books, input)
  made.push(id)
  return id
}

async function endQuietly(id: string): Promise<void> {
  await world().database.sql`
    update books.recurring_schedules
    set status = 'ended', next_day = null
    where business_id = ${books.businessId}
      and id = ${id}`
}

const story = (id: string) => runOperation(getRecurring, world().context, books.owner, { id })
const read = (id: string | null) =>
  runOperation(getDocument, world().context, books.owner, { id: id ?? '' })

// Oldest first.
async function periods(id: string) {
  return (await story(id)).periods.toReversed()
}

async function days(id: string): Promise<string[]> {
  return (await periods(id)).map(({ day }) => day)
}

async function mails() {
  return world().database.sql<{ subject: string }[]>`
    select subject
    from kernel.mails
    where business_id = ${books.businessId}
    order by created_at`
}

async function notices(): Promise<string[]> {
  const rows = await world().database.sql<{ fact: string }[]>`
    select fact
    from kernel.notices
    where business_id = ${books.businessId}
      and kind = 'recurring'
    order by created_at`
  return rows.map(({ fact }) => fact.replace(/\/.*/, ''))
}

it('makes 36 invoices in three years, on the last days of months', {
  tags: ['long'],
  timeout: 300_000,
}, async () => {
  const id = await schedule({ nextDay: '2027-01-31', mode: 'post' })
  for (let day = '2027-01-15'; day < '2030-01-31'; day = addDays(day, 1)) {
    // The server is down for five days.
    if (day >= '2027-03-30' && day <= '2027-04-03') continue
    noon(day)
    // Two workers at once, and the same minute again.
    await Promise.all([makeDue(world()), makeDue(world())])
    await makeDue(world())
  }
  const all = await periods(id)
  expect(all).toHaveLength(36)
  expect(all.map(({ day }) => day).slice(0, 15)).toEqual([
    ...['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30'],
    ...['2027-07-31', '2027-08-31', '2027-09-30', '2027-10-31', '2027-11-30', '2027-12-31'],
    ...['2028-01-31', '2028-02-29', '2028-03-31'],
  ])
  const documents = await Promise.all(all.map(({ documentId }) => read(documentId)))
  expect(new Set(documents.map((document) => document.id)).size).toBe(36)
  expect(documents.map(({ date }) => date)).toEqual(all.map(({ day }) => day))
  // The one that was four days late waits for a person.
  expect(documents.filter(({ status }) => status === 'draft').map(({ date }) => date)).toEqual([
    '2027-03-31',
  ])
  expect(documents[13]?.lines[0]?.description).toBe('Retainer for February 2028')
  const [row] = await world().database.sql<{ count: number }[]>`
    select count(*)::integer as count
    from books.documents
    where business_id = ${books.businessId}`
  expect(row?.count).toBe(36)
})

describe('the rhythm', () => {
  const rhythms: [string, Partial<ScheduleForm>, string[]][] = [
    [
      'of days',
      { intervalUnit: 'day', intervalCount: 10 },
      ['2027-02-01', '2027-02-11', '2027-02-21', '2027-03-03'],
    ],
    [
      'of weeks',
      { intervalUnit: 'week', intervalCount: 2 },
      ['2027-02-01', '2027-02-15', '2027-03-01'],
    ],
    [
      'with a last day',
      { intervalUnit: 'week', endDay: '2027-02-15' },
      ['2027-02-01', '2027-02-08', '2027-02-15'],
    ],
    ['with a number', { intervalUnit: 'week', times: 2 }, ['2027-02-01', '2027-02-08']],
  ]
  it.each(rhythms)('%s', async (_name, input, expected) => {
    const id = await schedule({ nextDay: '2027-02-01', ...input })
    expect((await story(id)).upcoming.slice(0, expected.length)).toEqual(expected)
    for (let day = '2027-02-01'; day <= '2027-03-03'; day = addDays(day, 1)) {
      noon(day)
      await makeDue(world())
    }
    expect(await days(id)).toEqual(expected)
  })

  it('follows the day of the business, not of the server', async () => {
    await books.set({ time_zone: 'Pacific/Auckland' })
    const id = await schedule({ nextDay: '2027-02-01' })
    clock.set(new Date('2027-01-31T10:59:00Z'))
    await makeDue(world())
    expect(await days(id)).toEqual([])
    clock.set(new Date('2027-01-31T11:00:00Z'))
    await makeDue(world())
    expect(await days(id)).toEqual(['2027-02-01'])
  })

  it('makes nothing twice if the clock goes back', async () => {
    const id = await schedule({ nextDay: '2027-02-01' })
    noon('2027-02-01')
    await makeDue(world())
    noon('2027-01-31')
    await makeDue(world())
    noon('2027-02-01')
    await makeDue(world())
    expect(await days(id)).toEqual(['2027-02-01'])
  })
})

describe('sent by itself', () => {
  it('is issued and mailed once', async () => {
    const id = await schedule({ nextDay: '2027-02-01', mode: 'send', dueDays: 20 })
    noon('2027-02-01')
    await makeDue(world())
    await makeDue(world())
    const [period] = await periods(id)
    expect(period).toMatchObject({ status: 'made', reason: null })
    expect(await read(period?.documentId ?? null)).toMatchObject({
      status: 'sent',
      dueDate: '2027-02-21',
      authorPersonId: books.owner.personId,
    })
    expect(await mails()).toHaveLength(1)
  })

  it('is issued and mailed once, though its transactions were rolled back and repeated', async () => {
    const id = await schedule({ nextDay: '2027-02-01', mode: 'send' })
    noon('2027-02-01')
    const { context } = world()
    const database = withRepeatedTransactions(context.database)
    await makeRecurringSchedule.run({ ...context, database }, new AbortController().signal)
    const [period] = await periods(id)
    expect(period).toMatchObject({ status: 'made', reason: null })
    await makeDue(world())
    expect(await mails()).toHaveLength(1)
  })

  it.each(['recurring.made', 'document.issued', 'recurring.posted', 'recurring.sent'])(
    'goes on once after a process stopped at %s',
    async (failAt) => {
      const id = await schedule({ nextDay: '2027-02-01', mode: 'send' })
      noon('2027-02-01')
      const failpoint = (name: string) => {
        if (name === failAt) throw new Error(`stopped at ${name}`)
      }
      const signal = new AbortController().signal
      await makeRecurringSchedule.run({ ...world().context, failpoint }, signal)
      await makeDue(world())
      await makeDue(world())
      const all = await periods(id)
      expect(all.map(({ status, reason }) => reason ?? status)).toEqual(['made'])
      expect(await read(all[0]?.documentId ?? null)).toMatchObject({ status: 'sent' })
      expect(await mails()).toHaveLength(1)
    },
  )

  it('leaves the draft if the process was down for more than three days in between', async () => {
    const id = await schedule({ nextDay: '2027-02-01', mode: 'send' })
    noon('2027-02-01')
    const failpoint = (name: string) => {
      if (name === 'recurring.made') throw new Error('stopped')
    }
    await makeRecurringSchedule.run({ ...world().context, failpoint }, new AbortController().signal)
    noon('2027-02-05')
    await makeDue(world())
    const [period] = await periods(id)
    expect(period?.reason).toContain('more than three days late')
    expect(await read(period?.documentId ?? null)).toMatchObject({ status: 'draft' })
    expect(await notices()).toEqual(['recurring.left'])
  })

  it('is sent three days late, and a draft after four', async () => {
    const id = await schedule({ nextDay: '2027-02-01', mode: 'send', intervalUnit: 'day' })
    noon('2027-02-05')
    await makeDue(world())
    const all = await periods(id)
    const documents = await Promise.all(all.map(({ documentId }) => read(documentId)))
    expect(documents.map(({ date, status }) => `${date} ${status}`)).toEqual([
      '2027-02-01 draft',
      '2027-02-02 sent',
      '2027-02-03 sent',
      '2027-02-04 sent',
      '2027-02-05 sent',
    ])
    expect(await notices()).toEqual(['recurring.late'])
  })

  it('waits for approval where approvals are on', async () => {
    const id = await schedule({ nextDay: '2027-02-01', mode: 'send' })
    await books.set({ approvals_on: true })
    noon('2027-02-01')
    await makeDue(world())
    const [period] = await periods(id)
    expect(period).toMatchObject({ status: 'made', reason: 'It waits for approval.' })
    expect(await read(period?.documentId ?? null)).toMatchObject({ status: 'awaiting_approval' })
    expect(await mails()).toHaveLength(0)
  })

  it('stays a draft with the reason in a locked month', async () => {
    const id = await schedule({ nextDay: '2027-02-01', mode: 'send' })
    await books.set({ soft_locked_until: '2027-02-28' })
    noon('2027-02-01')
    await makeDue(world())
    const [period] = await periods(id)
    expect(period?.reason).toContain('The books are locked up to and including 2027-02-28')
    expect(await read(period?.documentId ?? null)).toMatchObject({ status: 'draft' })
    expect(await notices()).toEqual(['recurring.left'])
  })

  it('is issued but not mailed if the customer has lost the address', async () => {
    const { id: contactId } = await books.contact({ email: 'customer@example.com' })
    const id = await schedule({ nextDay: '2027-02-01', mode: 'send', contactId })
    await runOperation(updateContact, world().context, books.owner, { id: contactId, email: '' })
    noon('2027-02-01')
    await makeDue(world())
    const [period] = await periods(id)
    expect(period?.reason).toContain('has no e-mail address')
    expect(await read(period?.documentId ?? null)).toMatchObject({ status: 'posted' })
  })
})

it('makes bills, approved by itself', async () => {
  const id = await schedule({ nextDay: '2027-02-01', kind: 'bill', mode: 'post' })
  noon('2027-02-01')
  await makeDue(world())
  const [period] = await periods(id)
  expect(await read(period?.documentId ?? null)).toMatchObject({ kind: 'bill', status: 'approved' })
})

describe('what can not be made', () => {
  it('is told, tried every hour, and made when it is possible again', async () => {
    const { id: contactId } = await books.contact({ email: 'customer@example.com' })
    const id = await schedule({ nextDay: '2027-02-01', contactId })
    const setActive = (active: boolean) =>
      runOperation(updateContact, world().context, books.owner, { id: contactId, active })
    await setActive(false)
    noon('2027-02-01')
    await makeDue(world())
    clock.advance(61 * 60_000)
    await makeDue(world())
    expect((await story(id)).schedule).toMatchObject({
      problem: 'The contact is not active.',
      nextDay: '2027-02-01',
    })
    expect(await notices()).toEqual(['recurring.stuck'])
    await setActive(true)
    // Not before the hour is over.
    await makeDue(world())
    expect(await days(id)).toEqual([])
    clock.advance(61 * 60_000)
    await makeDue(world())
    expect(await days(id)).toEqual(['2027-02-01'])
    expect((await story(id)).schedule).toMatchObject({ problem: null, nextDay: '2027-03-01' })
  })

  it('does not hold up other schedules', async () => {
    const { id: contactId } = await books.contact()
    await schedule({ nextDay: '2027-02-01', contactId })
    const other = await schedule({ nextDay: '2027-02-01' })
    const input = { id: contactId, active: false }
    await runOperation(updateContact, world().context, books.owner, input)
    noon('2027-02-01')
    await makeDue(world())
    expect(await days(other)).toEqual(['2027-02-01'])
  })

  it('an ended schedule makes nothing', async () => {
    const id = await schedule({ nextDay: '2027-02-01' })
    await runOperation(endRecurring, world().context, books.owner, { id })
    noon('2027-02-01')
    await makeDue(world())
    expect(await days(id)).toEqual([])
  })
})

it('a period that was lost or made without being counted is found', async () => {
  const id = await schedule({ nextDay: '2027-02-01', intervalUnit: 'day' })
  noon('2027-02-02')
  await makeDue(world())
  const { sql } = world().database
  const set = (column: string, by: number) => sql`
    update books.recurring_schedules
    set ${sql({ [column]: by })}
    where business_id = ${books.businessId}
      and id = ${id}`
  await set('nextNumber', 4)
  expect(await brokenInvariants(world().database)).toEqual(['I14.51'])
  await set('nextNumber', 3)
  await set('madeCount', 1)
  expect(await brokenInvariants(world().database)).toEqual(['I14.51'])
  await set('madeCount', 2)
})
