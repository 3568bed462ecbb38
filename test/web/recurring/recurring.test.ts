// Schedules through the pages: made from a document, changed, paused, skipped and ended, and what
// they refuse.
import { beforeEach, describe, expect, it } from 'vitest'
import { updateContact } from '../../../src/books/contacts/update-contact.ts'
import { createRecurringJournal } from '../../../src/books/recurring/create-recurring-journal.ts'
import { getRecurring } from '../../../src/books/recurring/get-recurring.ts'
import { addDays } from '../../../src/kernel/basics/calendar.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { tokenField } from '../../../src/web/shell/token-field.ts'
import { type AppVisitor, appVisitor, fieldsOf } from '../../support/app-visitor.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { makeDue, newSchedule } from '../../support/recurring.ts'
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

const story = (id: string) => runOperation(getRecurring, world().context, books.owner, { id })

// A button of the page.
const press = (visitor: AppVisitor, id: string, act: string) =>
  visitor.post(`/recurring/${id}/${act}`, { [tokenField]: world().context.ids.uuid() })

function idIn(answer: { headers: Headers }): string {
  return /\/recurring\/([^/]+)$/.exec(answer.headers.get('location') ?? '')?.[1] ?? ''
}

// Made today by the worker.
async function dueSchedule(input = {}) {
  const { id } = await newSchedule(world(), books, { nextDay: dayFromNow(0), ...input })
  await makeDue(world())
  return id
}

describe('an invoice', () => {
  it('is made recurring, with its lines and its days until it is due', async () => {
    const { id } = await books.draft('invoice', {
      date: dayFromNow(-40),
      dueDate: dayFromNow(-26),
      notes: 'Thank you',
    })
    expect((await owner.get(`/invoices/${id}`)).text).toContain(`/invoices/${id}/recur`)
    const form = await owner.get(`/invoices/${id}/recur`)
    expect(fieldsOf(form.text)).toMatchObject({ dueDays: '14', notes: 'Thank you' })
    expect((fieldsOf(form.text).nextDay ?? '') >= dayFromNow(0)).toBe(true)
    const answer = await owner.submit(`/invoices/${id}/recur`, {
      name: 'Hosting',
      mode: 'post',
      'line-0-description': 'Hosting in {month} {year}',
    })
    expect(answer.status).toBe(303)
    const { schedule, upcoming } = await story(idIn(answer))
    expect(schedule).toMatchObject({ kind: 'invoice', name: 'Hosting', totalMinor: 10_000n })
    const page = await owner.get(`/recurring/${schedule.id}`)
    const [next = ''] = upcoming
    const month = new Date(next).toLocaleString('en-GB', { month: 'long', timeZone: 'UTC' })
    expect(page.text).toContain(`Hosting in ${month} ${next.slice(0, 4)}`)
    expect((await owner.get('/recurring')).text).toContain('Hosting')
  })

  it('says which schedule made it', async () => {
    const id = await dueSchedule()
    const [period] = (await story(id)).periods
    const page = await owner.get(`/invoices/${period?.documentId}`)
    expect(page.text).toContain('From the schedule “Retainer”')
    expect(page.text).toContain(`/recurring/${id}`)
    expect((await owner.get(`/recurring/${id}`)).text).toContain(`/invoices/${period?.documentId}`)
  })
})

describe('a new schedule', () => {
  const fill = async (typed: Record<string, string>) => {
    const { name } = await books.contact()
    return owner.submit('/recurring/new-bill', {
      name: 'Rent',
      contact: name,
      'line-0-description': 'Rent',
      'line-0-unitPrice': '900',
      'line-0-account': '6300',
      ...typed,
    })
  }

  it('is entered from nothing', async () => {
    const answer = await fill({ intervalCount: '3', nextDay: dayFromNow(3) })
    expect(answer.status).toBe(303)
    expect((await story(idIn(answer))).schedule).toMatchObject({
      kind: 'bill',
      intervalCount: 3,
      totalMinor: 90_000n,
    })
  })

  it('keeps what was typed while lines are added', async () => {
    const answer = await fill({ name: 'Office rent', step: 'add' })
    expect(fieldsOf(answer.text)).toMatchObject({ name: 'Office rent', 'line-0-unitPrice': '900' })
  })

  const refused: [string, Record<string, string>, string][] = [
    ['a day that has passed', { nextDay: '2020-01-01' }, 'or a later day'],
    ['no rhythm', { intervalCount: '' }, 'Must be a number'],
    ['two ends', { times: '3', endDay: '2099-12-31' }, 'not both'],
    ['an end before the start', { endDay: '2020-01-01' }, 'Must not be before'],
    [
      'a misspelt placeholder',
      { 'line-0-description': 'Rent for {mnoth}' },
      'Unknown placeholder {mnoth}',
    ],
    ['a misspelt placeholder in the notes', { notes: '{yaer}' }, 'Unknown placeholder {yaer}'],
  ]
  it.each(refused)('is refused with %s, and keeps what was typed', async (_name, typed, text) => {
    const answer = await fill(typed)
    expect(answer.status).toBe(422)
    expect(answer.text).toContain(text)
    expect(fieldsOf(answer.text)).toMatchObject({ name: 'Rent', ...typed })
  })

  it('is not sent to a customer without an address', async () => {
    const { id } = await books.draft('invoice')
    const answer = await owner.submit(`/invoices/${id}/recur`, { name: 'X', mode: 'send' })
    expect(answer.text).toContain('has no e-mail address')
  })
})

describe('a running schedule', () => {
  it('is changed for what comes', async () => {
    const id = await dueSchedule()
    const answer = await owner.submit(`/recurring/${id}/edit`, {
      'line-0-unitPrice': '120',
      intervalUnit: 'week',
      nextDay: dayFromNow(2),
    })
    expect(answer.status).toBe(303)
    expect(await story(id)).toMatchObject({
      schedule: { totalMinor: 12_000n, nextNumber: 2, anchorNumber: 2 },
      upcoming: [2, 9, 16, 23, 30, 37].map(dayFromNow),
    })
  })

  it('is not changed to make a second one on the same day', async () => {
    const id = await dueSchedule()
    const answer = await owner.submit(`/recurring/${id}/edit`, { nextDay: dayFromNow(0) })
    expect(answer.text).toContain('the day of the last one')
  })

  it('is not changed over another person’s change', async () => {
    const id = await dueSchedule()
    const seen = fieldsOf((await owner.get(`/recurring/${id}/edit`)).text)
    await owner.submit(`/recurring/${id}/edit`, { name: 'Theirs' })
    const answer = await owner.post(`/recurring/${id}/edit`, { ...seen, name: 'Mine' })
    expect(answer.status).toBe(409)
    expect(answer.text).toContain('Someone else has changed it meanwhile')
    expect((await story(id)).schedule.name).toBe('Theirs')
  })

  it('is paused and resumed, and what passed meanwhile is skipped', async () => {
    const { id } = await newSchedule(world(), books, {
      nextDay: dayFromNow(0),
      intervalUnit: 'day',
    })
    await press(owner, id, 'pause')
    await makeDue(world())
    expect((await story(id)).periods).toEqual([])
    // Three days ago, as far as the schedule knows.
    await world().database.sql`
      update books.recurring_schedules
      set anchor_day = ${dayFromNow(-3)}, next_day = ${dayFromNow(-3)}
      where business_id = ${books.businessId}
        and id = ${id}`
    await press(owner, id, 'resume')
    await makeDue(world())
    const { periods } = await story(id)
    expect(periods.map(({ status }) => status)).toEqual(['made', 'skipped', 'skipped', 'skipped'])
    expect((await owner.get(`/recurring/${id}`)).text).toContain('The schedule was paused.')
  })

  it('skips one, once', async () => {
    const { id } = await newSchedule(world(), books, { nextDay: dayFromNow(0) })
    const seen = fieldsOf((await owner.get(`/recurring/${id}/skip`)).text)
    expect((await owner.post(`/recurring/${id}/skip`, seen)).status).toBe(303)
    const other = { ...fieldsOf((await owner.get(`/recurring/${id}/skip`)).text), number: '1' }
    expect((await owner.post(`/recurring/${id}/skip`, other)).text).toContain(
      'It was made or skipped meanwhile',
    )
    await makeDue(world())
    expect((await story(id)).periods.map(({ status }) => status)).toEqual(['skipped'])
  })

  it('says why it is stuck, and goes on when a person tries again', async () => {
    const { id: contactId } = await books.contact()
    const { id } = await newSchedule(world(), books, { nextDay: dayFromNow(0), contactId })
    const setActive = (active: boolean) =>
      runOperation(updateContact, world().context, books.owner, { id: contactId, active })
    await setActive(false)
    await makeDue(world())
    expect((await owner.get(`/recurring/${id}`)).text).toContain('The contact is not active.')
    expect((await owner.get('/recurring')).text).toContain('Needs you')
    await press(owner, id, 'retry')
    expect((await story(id)).periods).toEqual([])
    await setActive(true)
    await press(owner, id, 'retry')
    expect((await story(id)).periods).toHaveLength(1)
    expect((await press(owner, id, 'retry')).status).toBe(409)
  })

  it('ends, and can’t be resumed', async () => {
    const id = await dueSchedule()
    expect((await owner.submit(`/recurring/${id}/end`)).status).toBe(303)
    expect((await story(id)).schedule).toMatchObject({ status: 'ended', nextDay: null })
    const again = await owner.submit(`/recurring/${id}/end`)
    expect(again.text).toContain('The schedule has ended')
    expect((await owner.get(`/recurring/${id}`)).text).not.toContain(`/recurring/${id}/edit`)
  })

  it('is shown to viewers without buttons, and not to other businesses', async () => {
    const id = await dueSchedule()
    const viewer = await appVisitor(world(), books.businessId, 'viewer')
    expect((await viewer.get(`/recurring/${id}`)).text).not.toContain(`/recurring/${id}/pause`)
    expect((await press(viewer, id, 'pause')).status).toBe(403)
    const stranger = await appVisitor(world(), (await newBooks(world())).businessId)
    expect((await stranger.get(`/recurring/${id}`)).status).toBe(404)
  })
})

it('pages through its history, and posts a journal that waits far back', async () => {
  const lines = [
    { accountId: books.account('6350'), debit: '100' },
    { accountId: books.account('2200'), credit: '100' },
  ]
  const { id } = await runOperation(createRecurringJournal, world().context, books.owner, {
    name: 'Depreciation',
    mode: 'draft',
    intervalUnit: 'day',
    intervalCount: 1,
    nextDay: dayFromNow(0),
    description: 'Depreciation',
    lines,
  })
  await makeDue(world())
  await press(owner, id, 'pause')
  // All that was 120 days ago.
  const { sql } = world().database
  await sql`
    update books.recurring_schedules
    set anchor_day = ${dayFromNow(-120)}, next_day = ${dayFromNow(-119)}
    where business_id = ${books.businessId}
      and id = ${id}`
  await sql`
    update books.recurring_periods
    set day = ${dayFromNow(-120)}
    where business_id = ${books.businessId}
      and schedule_id = ${id}`
  await press(owner, id, 'resume')
  await makeDue(world())
  const oldest = `/recurring/${id}/journals/1"`
  let page = await owner.get(`/recurring/${id}`)
  const pages = [page.text]
  for (let next = nextOf(page.text); next; next = nextOf(page.text)) {
    page = await owner.get(next)
    pages.push(page.text)
  }
  expect(pages.map((text) => text.includes(oldest))).toEqual([false, false, true])
  expect(pages.at(-1)).toContain('Newest')
  const posted = await owner.submit(`/recurring/${id}/journals/1`)
  expect(posted.status).toBe(303)
  expect((await owner.get(`/recurring/${id}/journals/1000`)).status).toBe(404)
  expect((await owner.get(`/recurring/${id}/journals/first`)).status).toBe(404)
})

function nextOf(html: string): string | undefined {
  const href = /href="([^"]*)" rel="next"/.exec(html)?.[1]
  return href?.replace(`/b/${books.businessId}`, '')
}
