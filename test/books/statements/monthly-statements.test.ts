// Monthly statements: when one is due, who gets it, and that no one gets it twice.
import { beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { mergeContacts } from '../../../src/books/contacts/merge-contacts.ts'
import { updateContact } from '../../../src/books/contacts/update-contact.ts'
import { getContactStatements } from '../../../src/books/statements/monthly/get-contact-statements.ts'
import { getMonthlyStatements } from '../../../src/books/statements/monthly/get-monthly-statements.ts'
import { resumeContactStatements } from '../../../src/books/statements/monthly/resume-statements.ts'
import { sendStatementsSchedule } from '../../../src/books/statements/monthly/send-monthly-statements.ts'
import { setMonthlyStatements } from '../../../src/books/statements/monthly/set-monthly-statements.ts'
import { stopContactStatements } from '../../../src/books/statements/monthly/stop-statements.ts'
import type { Operation } from '../../../src/kernel/operations/operation.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import type { MerchantContext } from '../../../src/merchant/context.ts'
import { manualClock } from '../../support/clock.ts'
import { brokenInvariants, expectInvariants } from '../../support/invariants.ts'
import { textIn } from '../../support/pdf.ts'
import { refusal } from '../../support/refusal.ts'
import { type ReminderBooks, reminderBooks } from '../../support/reminders.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock()
const world = useWorld({ clock })
let books: ReminderBooks

beforeEach(async () => {
  clock.set(new Date('2026-03-01T12:00:00Z'))
  books = await reminderBooks(world())
  await run(setMonthlyStatements, { isOn: true })
})

function run<Input extends z.ZodType, Result>(
  operation: Operation<MerchantContext, Input, Result>,
  input: z.input<Input>,
): Promise<Result> {
  return runOperation(operation, world().context, books.owner, input)
}

const signal = new AbortController().signal
const ada = 'ada@customer.example'
const dueDate = '2026-03-10'

type SentStatement = {
  readonly at: Date
  readonly to: string
  readonly month: string
  readonly subject: string
  readonly content: Buffer
}

async function statements(): Promise<SentStatement[]> {
  return world().database.sql<SentStatement[]>`
    select
      mail.created_at as at, mail.recipients[1] as to, statement.month, mail.subject,
      attached.content
    from kernel.mails as mail
    join kernel.mail_attachments as attached
      on attached.mail_id = mail.id
    left join books.monthly_statements as statement
      on statement.business_id = mail.business_id
      and statement.id = mail.id
    where mail.business_id = ${books.businessId}
      and mail.kind = 'statement'
    order by mail.created_at, mail.recipients[1]`
}

// Who has got which month so far, after the schedule has run at that time.
async function toldAt(moment: string): Promise<string[]> {
  clock.set(new Date(moment))
  await sendStatementsSchedule.run(world().context, signal)
  return (await statements()).map(({ to, month }) => `${month.slice(0, 7)} ${to}`)
}

describe('the statement of a month', () => {
  it('is mailed once, by two workers at once and by all that follow', async () => {
    await books.invoice({ name: 'ada', dueDate })
    clock.set(new Date('2026-04-01T08:00:00Z'))
    const worker = () => sendStatementsSchedule.run(world().context, signal)
    await Promise.all([worker(), worker(), worker()])
    expect(await toldAt('2026-04-01T09:00:00Z')).toEqual([`2026-03 ${ada}`])
    expect(await toldAt('2026-04-04T12:00:00Z')).toEqual([`2026-03 ${ada}`])
    const [mail] = await statements()
    expect(mail?.subject).toMatch(/^Statement from .*, 1 March 2026 to 31 March 2026$/)
    expect(textIn(mail?.content ?? Buffer.alloc(0))).toContain('Invoice INV-2026-00001')
  })

  it('is there with its row after a kill, or not at all', async () => {
    await books.invoice({ name: 'ada', dueDate })
    const { context } = world()
    const { database } = context
    clock.set(new Date('2026-04-01T08:00:00Z'))
    let kills = 0
    const transaction: typeof database.transaction = (body) =>
      database.transaction(async (tx) => {
        await body(tx)
        kills += 1
        throw new Error('killed')
      })
    const dying = { ...context, database: { ...database, transaction } }
    await sendStatementsSchedule.run(dying, signal)
    expect(kills).toBe(1)
    expect(await statements()).toEqual([])
    expect(await toldAt('2026-04-01T08:10:00Z')).toEqual([`2026-03 ${ada}`])
  })

  it('waits for the morning of the customer, and for the end of the month of the business', async () => {
    await books.set({ time_zone: 'America/New_York' })
    await books.invoice({ name: 'far', dueDate, timeZone: 'Pacific/Auckland' })
    await books.invoice({ name: 'near', dueDate })
    // It is 1 April in Auckland, and 31 March in New York.
    expect(await toldAt('2026-03-31T22:00:00Z')).toEqual([])
    expect(await toldAt('2026-04-01T04:10:00Z')).toEqual(['2026-03 far@customer.example'])
    expect(await toldAt('2026-04-01T11:59:00Z')).toHaveLength(1)
    expect(await toldAt('2026-04-01T12:00:00Z')).toContain('2026-03 near@customer.example')
  })

  it('is left out after the fourth day', async () => {
    await books.invoice({ name: 'ada', dueDate })
    expect(await toldAt('2026-04-05T12:00:00Z')).toEqual([])
    expect(await toldAt('2026-05-04T12:00:00Z')).toEqual([`2026-04 ${ada}`])
  })

  it('goes to customers with an address for whom something is open or was posted', async () => {
    await books.invoice({ name: 'ada', dueDate })
    await books.invoice({ name: 'bob', dueDate, email: null })
    const paid = await books.invoice({ name: 'eve', dueDate })
    await books.pay(paid.id, paid.contactId, '2026-03-01')
    const supplier = await books.invoice({ name: 'sue', dueDate })
    await run(updateContact, { id: supplier.contactId, isCustomer: false, isSupplier: true })
    await books.contact({ name: 'new', email: 'new@customer.example' })
    const march = [`2026-03 ${ada}`, '2026-03 eve@customer.example']
    expect(await toldAt('2026-04-01T12:00:00Z')).toEqual(march)
    // Nothing is open for eve, and nothing was posted.
    expect(await toldAt('2026-05-01T12:00:00Z')).toEqual([...march, `2026-04 ${ada}`])
  })

  it('is one for contacts that were merged, also after one of them got theirs', async () => {
    const other = await books.invoice({ name: 'bob', dueDate })
    const { contactId } = await books.invoice({ name: 'ada', dueDate })
    await run(mergeContacts, { id: other.contactId, intoId: contactId, take: [] })
    expect(await toldAt('2026-04-01T12:00:00Z')).toEqual([`2026-03 ${ada}`])
    const third = await books.invoice({ name: 'eve', dueDate: '2026-05-10' })
    expect(await toldAt('2026-05-01T12:00:00Z')).toHaveLength(3)
    await run(mergeContacts, { id: contactId, intoId: third.contactId, take: [] })
    expect(await toldAt('2026-05-01T13:00:00Z')).toHaveLength(3)
    const { statements: listed } = await run(getContactStatements, { id: third.contactId })
    expect(listed.map(({ month }) => month)).toEqual(['2026-04-01', '2026-04-01', '2026-03-01'])
  })
})

describe('the switch', () => {
  it('is off at first, and switching on sends no month that has ended', async () => {
    await world().database.sql`
      delete from books.statement_settings
      where business_id = ${books.businessId}`
    await books.invoice({ name: 'ada', dueDate })
    expect(await toldAt('2026-04-01T12:00:00Z')).toEqual([])
    await run(setMonthlyStatements, { isOn: true })
    expect(await toldAt('2026-04-01T13:00:00Z')).toEqual([])
    expect(await toldAt('2026-05-01T12:00:00Z')).toEqual([`2026-04 ${ada}`])
    await run(setMonthlyStatements, { isOn: false })
    expect(await toldAt('2026-06-01T12:00:00Z')).toEqual([`2026-04 ${ada}`])
  })

  it('tells who would get the statement of this month, and why others would not', async () => {
    await books.invoice({ name: 'ada', dueDate })
    await books.invoice({ name: 'bob', dueDate, email: null })
    const { contactId } = await books.invoice({ name: 'eve', dueDate })
    await run(stopContactStatements, { id: contactId, reason: 'They asked.' })
    const { recipients, ...shown } = await run(getMonthlyStatements, {})
    expect(shown).toMatchObject({ isOn: true, nextDay: '2026-04-01', isCut: false })
    const told = recipients.map(({ contactName, problem }) => `${contactName} ${problem}`)
    expect(told.toSorted()).toEqual(['ada undefined', 'bob no_address', 'eve stopped'])
  })
})

describe('stopping', () => {
  it('lasts until a person resumes, and sends no month that has ended meanwhile', async () => {
    const { contactId } = await books.invoice({ name: 'ada', dueDate })
    await run(stopContactStatements, { id: contactId, reason: 'They asked.' })
    expect(await toldAt('2026-04-01T12:00:00Z')).toEqual([])
    await run(resumeContactStatements, { id: contactId })
    expect(await toldAt('2026-04-01T13:00:00Z')).toEqual([])
    expect(await toldAt('2026-05-01T12:00:00Z')).toEqual([`2026-04 ${ada}`])
  })

  it('is refused twice, without a reason, and for a contact that does not exist', async () => {
    const { contactId: id } = await books.invoice({ name: 'ada', dueDate })
    const reason = 'They asked.'
    expect(await refusal(run(stopContactStatements, { id, reason: '' }))).toBe('Must not be empty.')
    await run(stopContactStatements, { id, reason })
    expect(await refusal(run(stopContactStatements, { id, reason }))).toBe(
      'The statements of ada are stopped already.',
    )
    const unknown = world().context.ids.uuid()
    expect(await refusal(run(resumeContactStatements, { id: unknown }))).toMatch(/contact/i)
    expect(await refusal(run(getContactStatements, { id: unknown }))).toMatch(/contact/i)
  })

  it('goes on for the contact that it is merged into', async () => {
    const stopped = await books.invoice({ name: 'bob', dueDate })
    const { contactId } = await books.invoice({ name: 'ada', dueDate })
    await run(stopContactStatements, { id: stopped.contactId, reason: 'They asked.' })
    await run(mergeContacts, { id: stopped.contactId, intoId: contactId, take: [] })
    expect(await toldAt('2026-04-01T12:00:00Z')).toEqual([])
  })
})

it('mails each month once, over outages, by two workers', { tags: ['long'] }, async () => {
  await books.set({ time_zone: 'Europe/Berlin' })
  await books.invoice({ name: 'ada', dueDate })
  await books.invoice({ name: 'far', dueDate, timeZone: 'Pacific/Auckland' })
  const passUntil = async (until: string) => {
    while (clock.now() < new Date(until)) {
      const worker = () => sendStatementsSchedule.run(world().context, signal)
      await Promise.all([worker(), worker()])
      clock.advance(3 * 60 * 60 * 1000)
    }
  }
  clock.set(new Date('2026-03-30T00:00:00Z'))
  await passUntil('2026-04-05T00:00:00Z')
  // The service is down from 30 April to 3 May, then the clock is put back by two days.
  clock.set(new Date('2026-04-29T00:00:00Z'))
  await passUntil('2026-04-30T12:00:00Z')
  clock.set(new Date('2026-05-03T00:00:00Z'))
  await passUntil('2026-05-04T12:00:00Z')
  clock.set(new Date('2026-05-02T12:00:00Z'))
  await passUntil('2026-05-06T00:00:00Z')
  // And for longer: May is left out.
  clock.set(new Date('2026-06-05T00:00:00Z'))
  await passUntil('2026-06-07T00:00:00Z')
  clock.set(new Date('2026-06-30T00:00:00Z'))
  await passUntil('2026-07-03T00:00:00Z')
  const sent = (await statements()).map(
    ({ at, to }) => `${at.toISOString().slice(0, 13)} ${to.split('@')[0]}`,
  )
  expect(sent).toEqual([
    '2026-04-01T00 far',
    '2026-04-01T06 ada',
    '2026-05-03T00 far',
    '2026-05-03T06 ada',
    '2026-07-01T00 far',
    '2026-07-01T06 ada',
  ])
  await expectInvariants(world().database)
})

it('a statement without its mail breaks the invariant', async () => {
  await books.invoice({ name: 'ada', dueDate })
  await toldAt('2026-04-01T12:00:00Z')
  const { database } = world()
  expect(await brokenInvariants(database)).toEqual([])
  await database.sql`
    update kernel.mails
    set recipients = '{eve@customer.example}'
    where business_id = ${books.businessId}
      and kind = 'statement'`
  expect(await brokenInvariants(database)).toEqual(['I14.46'])
  await database.sql`
    update kernel.mails
    set recipients = ${[ada]}
    where business_id = ${books.businessId}
      and kind = 'statement'`
})
