// Reminders of open invoices, which the schedule mails by itself.
import { expect } from 'vitest'
import { dayIn } from '../../src/books/settings/local-time.ts'
import { type ReminderBooks, reminderBooks, remindersOf } from '../support/reminders.ts'
import type { Lane } from './lane.ts'
import { operation } from './sweep.ts'

type Subject = { readonly books: ReminderBooks; readonly id: string }

export const reminderOperations = [
  operation({
    name: 'an invoice is reminded',
    async setUp({ world }): Promise<Subject> {
      const books = await reminderBooks(world, { steps: [1] })
      const dueDate = dayIn('UTC', world.context.clock.now())
      const { id } = await books.invoice({ name: 'customer', dueDate })
      return { books, id }
    },
    // The schedule does it, on the morning of the next day.
    run: async () => {},
    hoursMax: 40,
    end: (lane, one) => expectOneReminder(lane, one),
    effects: (_lane, { books: { businessId, environment }, id }) => {
      return { tenant: { businessId, environment }, reference: id, counts: {} }
    },
  }),
]

async function expectOneReminder({ world }: Lane, { books, id }: Subject): Promise<void> {
  const mails = await remindersOf(world, books)
  const acts = await world.database.sql<{ to: string }[]>`
    select detail -> 'to' ->> 0 as to
    from kernel.audit_log
    where business_id = ${books.businessId}
      and object_id = ${id}
      and action = 'invoice.remind'`
  const rows = await world.database.sql<{ recipient: string }[]>`
    select recipient
    from books.reminders
    where business_id = ${books.businessId}`
  const recipient = 'customer@customer.example'
  expect(mails.map(({ to }) => to)).toEqual([recipient])
  expect(acts.map(({ to }) => to)).toEqual([recipient])
  expect(rows).toEqual([{ recipient }])
}
