// Reminders: when a step is due, what the mail says, and what the switch does.
import { beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { mergeContacts } from '../../../src/books/contacts/merge-contacts.ts'
import { updateContact } from '../../../src/books/contacts/update-contact.ts'
import { changeDueDate } from '../../../src/books/documents/change-due-date.ts'
import { getDocumentStory } from '../../../src/books/documents/get-document-story.ts'
import { voidDocument } from '../../../src/books/documents/void-document.ts'
import { insertInvoiceCharge } from '../../../src/books/invoice-pages/invoice-charge-store.ts'
import { disputeInvoice } from '../../../src/books/reminders/dispute-invoice.ts'
import { pauseContactReminders } from '../../../src/books/reminders/pause-contact-reminders.ts'
import { previewReminders } from '../../../src/books/reminders/preview-reminders.ts'
import { resumeInvoiceReminders } from '../../../src/books/reminders/resume-invoice-reminders.ts'
import { setReminders } from '../../../src/books/reminders/set-reminders.ts'
import { plainBrand } from '../../../src/kernel/brand/brand.ts'
import { setBrand } from '../../../src/kernel/brand/set-brand.ts'
import type { Operation } from '../../../src/kernel/operations/operation.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import type { MerchantContext } from '../../../src/merchant/context.ts'
import { manualClock } from '../../support/clock.ts'
import { brokenInvariants } from '../../support/invariants.ts'
import { refusal } from '../../support/refusal.ts'
import {
  type ReminderBooks,
  reminderBooks,
  remindersOf,
  remindNow,
} from '../../support/reminders.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock()
const world = useWorld({ clock })
let books: ReminderBooks

beforeEach(async () => {
  clock.set(new Date('2026-03-01T12:00:00Z'))
  books = await reminderBooks(world())
})

function run<Input extends z.ZodType, Result>(
  operation: Operation<MerchantContext, Input, Result>,
  input: z.input<Input>,
): Promise<Result> {
  return runOperation(operation, world().context, books.owner, input)
}

// Who has got a reminder so far, after the schedule has run at that time.
async function toldAt(moment: string): Promise<string[]> {
  clock.set(new Date(moment))
  await remindNow(world())
  return (await remindersOf(world(), books)).map(({ to }) => to)
}

const ada = 'ada@customer.example'

describe('a step', () => {
  it('is mailed once, by two runs at once and by all that follow', async () => {
    await books.invoice({ name: 'ada', dueDate: '2026-03-10' })
    clock.set(new Date('2026-03-07T08:00:00Z'))
    await Promise.all([remindNow(world()), remindNow(world()), remindNow(world())])
    expect(await toldAt('2026-03-07T19:00:00Z')).toEqual([ada])
    expect(await toldAt('2026-03-08T12:00:00Z')).toEqual([ada])
  })

  it('waits for the morning of the customer', async () => {
    await books.invoice({ name: 'ada', dueDate: '2026-03-10', timeZone: 'America/New_York' })
    expect(await toldAt('2026-03-07T12:59:00Z')).toEqual([])
    expect(await toldAt('2026-03-07T13:00:00Z')).toEqual([ada])
  })

  it('is not mailed in the evening, and then comes a day late', async () => {
    await books.invoice({ name: 'ada', dueDate: '2026-03-10' })
    expect(await toldAt('2026-03-07T20:00:00Z')).toEqual([])
    expect(await toldAt('2026-03-08T08:00:00Z')).toEqual([ada])
  })

  it('that was missed for two days is left out', async () => {
    await books.invoice({ name: 'ada', dueDate: '2026-03-10' })
    expect(await toldAt('2026-03-09T12:00:00Z')).toEqual([])
  })

  it('gives way to a newer one', async () => {
    await run(setReminders, { isOn: true, steps: [-3, -2] })
    await books.invoice({ name: 'ada', dueDate: '2026-03-10' })
    expect(await toldAt('2026-03-08T12:00:00Z')).toEqual([ada])
    expect(await toldAt('2026-03-08T13:00:00Z')).toEqual([ada])
  })

  it('waits while the customer pays', async () => {
    const { id } = await books.invoice({ name: 'ada', dueDate: '2026-03-10' })
    const { sql } = world().database
    await world().database.transaction((tx) =>
      insertInvoiceCharge(tx, books, {
        paymentId: world().context.ids.uuid(),
        documentId: id,
        currency: 'EUR',
        amountMinor: 10_000n,
        createdAt: clock.now(),
      }),
    )
    expect(await toldAt('2026-03-07T12:00:00Z')).toEqual([])
    await sql`
      delete from books.invoice_charges
      where business_id = ${books.businessId}`
    expect(await toldAt('2026-03-07T13:00:00Z')).toEqual([ada])
  })

  it('counts from another due date once that is agreed', async () => {
    const { id } = await books.invoice({ name: 'ada', dueDate: '2026-03-10' })
    await toldAt('2026-03-07T12:00:00Z')
    clock.set(new Date('2026-03-09T12:00:00Z'))
    await run(changeDueDate, { id, dueDate: '2026-03-20' })
    expect(await toldAt('2026-03-11T12:00:00Z')).toEqual([ada])
    expect(await toldAt('2026-03-17T12:00:00Z')).toEqual([ada, ada])
  })

  it('of a void invoice is not mailed', async () => {
    const { id } = await books.invoice({ name: 'ada', dueDate: '2026-03-10' })
    await run(voidDocument, { id })
    expect(await toldAt('2026-03-07T12:00:00Z')).toEqual([])
  })
})

describe('the switch', () => {
  it('is off at first, and switching on sends no step that is past', async () => {
    await world().database.sql`
      delete from books.reminder_settings
      where business_id = ${books.businessId}`
    await books.invoice({ name: 'ada', dueDate: '2026-03-10' })
    expect(await toldAt('2026-03-07T12:00:00Z')).toEqual([])
    clock.set(new Date('2026-03-08T09:00:00Z'))
    await run(setReminders, { isOn: true })
    expect(await toldAt('2026-03-08T12:00:00Z')).toEqual([])
    expect(await toldAt('2026-03-11T12:00:00Z')).toEqual([ada])
    await run(setReminders, { isOn: false })
    expect(await toldAt('2026-03-17T12:00:00Z')).toEqual([ada])
  })

  it('takes each day once, in order, and refuses days out of range', async () => {
    const saved = await run(setReminders, { isOn: true, steps: [7, -3, 7, 0] })
    expect(saved).toEqual({ isOn: true, steps: [-3, 0, 7] })
    const withSteps = (steps: number[]) => refusal(run(setReminders, { isOn: true, steps }))
    expect(await withSteps([])).toBe('Choose 1 to 10 days.')
    expect(await withSteps([366])).toBe('0: Must be days from -365 to 365.')
  })
})

describe('the mail', () => {
  it('says what is still to pay, with the link, and answers go to the business', async () => {
    const { logo: _, ...plain } = plainBrand
    await run(setBrand, { ...plain, contactEmail: 'help@shop.example' })
    const { id, contactId } = await books.invoice({ name: 'ada', dueDate: '2026-03-10' })
    await run(updateContact, { id: contactId, name: 'Ada Ltd' })
    clock.set(new Date('2026-03-02T12:00:00Z'))
    await toldAt('2026-03-11T12:00:00Z')
    const [mail] = await remindersOf(world(), books)
    const { document } = await run(getDocumentStory, { id, side: 'sales' })
    expect(mail?.subject).toMatch(/^Invoice INV-2026-00001 from .* is overdue$/)
    for (const body of [mail?.bodyText, mail?.bodyHtml]) {
      expect(body).toContain('Dear Ada Ltd,')
      expect(body).toContain('€100.00')
      expect(body).toContain('10 March 2026')
      expect(body).toContain(document.hostedUrl)
      expect(body).toContain('help@shop.example')
    }
    expect(mail?.bodyHtml.length).toBeLessThan(60_000)
  })

  it('is in French for a contact that reads French', async () => {
    await books.invoice({ name: 'ada', dueDate: '2026-03-10', language: 'fr' })
    await toldAt('2026-03-07T12:00:00Z')
    const [mail] = await remindersOf(world(), books)
    expect(mail?.subject).toMatch(/^Facture INV-2026-00001 de .* : échéance le 10 mars 2026$/)
    expect(mail?.bodyText).toContain('Reste à payer: 100,00 €'.replaceAll(' €', '\u00a0€'))
    expect(mail?.bodyHtml).toContain('lang="fr"')
  })
})

describe('stopping', () => {
  it('is refused twice, and for what is not owed', async () => {
    const { id, contactId } = await books.invoice({ name: 'ada', dueDate: '2026-03-10' })
    const reason = 'They complain.'
    await run(disputeInvoice, { id, reason })
    expect(await refusal(run(disputeInvoice, { id, reason }))).toBe(
      'It is flagged as disputed already.',
    )
    await run(pauseContactReminders, { id: contactId, reason })
    expect(await refusal(run(pauseContactReminders, { id: contactId, reason }))).toBe(
      'The reminders of ada are paused already.',
    )
    const other = await books.invoice({ name: 'eve', dueDate: '2026-03-10' })
    await books.pay(other.id, other.contactId, '2026-03-01')
    expect(await refusal(run(disputeInvoice, { id: other.id, reason }))).toBe('Nothing is due.')
    expect(await refusal(run(disputeInvoice, { id, reason: '' }))).toBe('Must not be empty.')
  })

  it('of a contact goes on for the one that it is merged into', async () => {
    const paused = await books.invoice({ name: 'bob', dueDate: '2026-03-20' })
    const { contactId } = await books.invoice({ name: 'ada', dueDate: '2026-03-10' })
    await run(pauseContactReminders, { id: paused.contactId, reason: 'In court.' })
    await run(mergeContacts, { id: paused.contactId, intoId: contactId, take: [] })
    expect(await toldAt('2026-03-07T12:00:00Z')).toEqual([])
  })

  it('of an invoice that was refunded lasts until a person resumes', async () => {
    const { id } = await books.invoice({ name: 'ada', dueDate: '2026-03-10' })
    await books.payOnline(id, '2026-03-02')
    await books.refundOnline(id, '2026-03-03')
    expect(await toldAt('2026-03-07T12:00:00Z')).toEqual([])
    const before = await run(getDocumentStory, { id, side: 'sales' })
    expect(before.stops).toMatchObject([{ kind: 'reopened' }])
    expect(before.problems.resume_reminders).toBe(null)
    await run(resumeInvoiceReminders, { id })
    expect(await toldAt('2026-03-07T13:00:00Z')).toEqual([ada])
  })
})

it('previews which invoices are reminded on which day, and why others are not', async () => {
  await books.invoice({ name: 'ada', dueDate: '2026-03-10' })
  const { id } = await books.invoice({ name: 'eve', dueDate: '2026-03-10' })
  await run(disputeInvoice, { id, reason: 'They complain.' })
  await books.invoice({ name: 'bob', dueDate: '2026-03-10', email: null })
  await run(setReminders, { isOn: false, steps: [-3, 1] })
  const { lines, mail } = await run(previewReminders, {})
  expect(lines.map((line) => [line.day, line.contactName, line.step, line.problem])).toEqual([
    ['2026-03-07', 'ada', -3, undefined],
    ['2026-03-07', 'eve', -3, 'disputed'],
    ['2026-03-07', 'bob', -3, 'no_address'],
    ['2026-03-11', 'ada', 1, undefined],
    ['2026-03-11', 'eve', 1, 'disputed'],
    ['2026-03-11', 'bob', 1, 'no_address'],
  ])
  expect(mail).toMatchObject({ to: ada, subject: expect.stringContaining('due on 10 March 2026') })
})

it('a reminder without its mail breaks the invariant', async () => {
  await books.invoice({ name: 'ada', dueDate: '2026-03-10' })
  await toldAt('2026-03-07T12:00:00Z')
  const { database } = world()
  expect(await brokenInvariants(database)).toEqual([])
  await database.sql`
    update kernel.mails
    set recipients = '{eve@customer.example}'
    where business_id = ${books.businessId}`
  expect(await brokenInvariants(database)).toEqual(['I14.45'])
  await database.sql`
    update kernel.mails
    set recipients = ${[ada]}
    where business_id = ${books.businessId}`
})
