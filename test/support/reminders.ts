// Books with a schedule of reminders, a clock that is moved through days, and the mails that went
// out.
import { createDocument } from '../../src/books/documents/create-document.ts'
import { issueDocument } from '../../src/books/documents/issue-document.ts'
import { postLinkPayment } from '../../src/books/payments/post-link-payment.ts'
import { postLinkRefund } from '../../src/books/payments/post-link-refund.ts'
import { recordPayment } from '../../src/books/payments/record-payment.ts'
import { remindInvoicesSchedule } from '../../src/books/reminders/remind-invoices.ts'
import { setReminders } from '../../src/books/reminders/set-reminders.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import type { ManualClock } from './clock.ts'
import { type Books, newBooks } from './documents.ts'
import type { World } from './world.ts'

export type ReminderBooks = Awaited<ReturnType<typeof reminderBooks>>

type Wanted = {
  readonly name: string
  readonly dueDate: string
  readonly email?: string | null
  readonly timeZone?: string
  readonly language?: 'en' | 'fr'
  readonly isSent?: boolean
}

export async function reminderBooks(world: World, { steps }: { steps?: number[] } = {}) {
  const { context, database } = world
  const books = await newBooks(world)
  const { owner } = books
  await runOperation(setReminders, context, owner, { isOn: true, ...(steps && { steps }) })
  const system = {
    kind: 'system',
    name: 'payment service',
    businessId: books.businessId,
    environment: books.environment,
  } as const
  const external = (documentId: string) => ({
    externalId: `payment of ${documentId}`,
    documentId,
    currency: 'EUR',
    amountMinor: 10_000n,
  })
  return {
    ...books,
    // An invoice of 100.00 EUR for its own customer.
    async invoice({ name, dueDate, email, timeZone, language, isSent = true }: Wanted) {
      const contact = await books.contact({
        name,
        email: email === undefined ? `${name}@customer.example` : email,
        ...(timeZone && { timeZone }),
        ...(language && { language }),
      })
      const date = context.clock.now().toISOString().slice(0, 10)
      const draft = await books.draft('invoice', { contactId: contact.id, date, dueDate })
      await runOperation(issueDocument, context, owner, { id: draft.id, isSent })
      return { id: draft.id, contactId: contact.id }
    },
    pay: (id: string, contactId: string, date: string) =>
      runOperation(recordPayment, context, owner, {
        direction: 'in',
        contactId,
        date,
        currency: 'EUR',
        amount: '100',
        accountId: books.account('1000'),
        allocations: [{ itemId: id, amount: '100' }],
      }),
    payOnline: (id: string, date: string) =>
      database.transaction((tx) =>
        postLinkPayment(tx, context, system, { ...external(id), date, feeMinor: 290n }),
      ),
    refundOnline: (id: string, date: string) =>
      database.transaction((tx) =>
        postLinkRefund(tx, context, system, {
          externalId: `refund of ${id}`,
          paymentExternalId: external(id).externalId,
          date,
          amountMinor: 10_000n,
        }),
      ),
    async creditNote(id: string, contactId: string, date: string) {
      const line = { description: 'Work', unitPrice: '100', accountId: books.account('4000') }
      const credit = await runOperation(createDocument, context, owner, {
        kind: 'credit_note',
        contactId,
        date,
        creditsDocumentId: id,
        lines: [line],
      })
      await runOperation(issueDocument, context, owner, { id: credit.id })
      return credit.id
    },
  }
}

export async function remindNow({ context }: World): Promise<void> {
  await remindInvoicesSchedule.run(context, new AbortController().signal)
}

// Runs the schedule every hour until then.
export async function passUntil(world: World, clock: ManualClock, until: string): Promise<void> {
  const end = new Date(until).getTime()
  while (clock.now().getTime() < end) {
    await remindNow(world)
    clock.advance(60 * 60 * 1000)
  }
}

export type SentReminder = {
  readonly at: Date
  readonly to: string
  readonly subject: string
  readonly bodyText: string
  readonly bodyHtml: string
}

export async function remindersOf(
  { database }: World,
  { businessId }: Pick<Books, 'businessId'>,
): Promise<SentReminder[]> {
  return database.sql<SentReminder[]>`
    select
      mail.created_at as at, mail.recipients[1] as to, mail.subject, mail.body_text,
      mail.body_html
    from kernel.mails as mail
    join books.reminders as reminder
      on reminder.business_id = mail.business_id
      and reminder.id = mail.id
    where mail.business_id = ${businessId}
    order by mail.created_at, mail.recipients[1]`
}
