// A schedule of reminders over sixty days: exactly which mails go out, and when.
import { expect, it } from 'vitest'
import { allocateCredit } from '../../../src/books/payments/allocate-credit.ts'
import { disputeInvoice } from '../../../src/books/reminders/dispute-invoice.ts'
import { pauseContactReminders } from '../../../src/books/reminders/pause-contact-reminders.ts'
import { resumeContactReminders } from '../../../src/books/reminders/resume-contact-reminders.ts'
import { resumeInvoiceReminders } from '../../../src/books/reminders/resume-invoice-reminders.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { manualClock } from '../../support/clock.ts'
import { expectInvariants } from '../../support/invariants.ts'
import { passUntil, reminderBooks, remindersOf } from '../../support/reminders.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock(new Date('2026-03-01T09:00:00Z'))
const world = useWorld({ clock })

// Summer time begins in Berlin on 29 March, and ends in Auckland on 5 April.
it('reminds for sixty days of what is open', { tags: ['long'], timeout: 120_000 }, async () => {
  const books = await reminderBooks(world())
  await books.set({ time_zone: 'Europe/Berlin' })
  const { context } = world()
  const { owner } = books
  const [, paid, credited, disputed, paused, reopened] = [
    await books.invoice({ name: 'open', dueDate: '2026-03-11' }),
    await books.invoice({ name: 'paid', dueDate: '2026-03-11' }),
    await books.invoice({ name: 'credited', dueDate: '2026-03-15' }),
    await books.invoice({ name: 'disputed', dueDate: '2026-03-15' }),
    await books.invoice({ name: 'paused', dueDate: '2026-03-15' }),
    await books.invoice({ name: 'reopened', dueDate: '2026-03-20' }),
    await books.invoice({ name: 'far', dueDate: '2026-03-31', timeZone: 'Pacific/Auckland' }),
    await books.invoice({ name: 'outage', dueDate: '2026-04-09' }),
    await books.invoice({ name: 'late', dueDate: '2026-04-12' }),
    await books.invoice({ name: 'unreachable', dueDate: '2026-03-11', email: null }),
    await books.invoice({ name: 'unsent', dueDate: '2026-03-11', isSent: false }),
    // Its step of three days before is past when it is sent, or is today.
    await books.invoice({ name: 'hurry', dueDate: '2026-03-03' }),
    await books.invoice({ name: 'today', dueDate: '2026-03-04' }),
  ]
  const pass = (until: string) => passUntil(world(), clock, until)

  await pass('2026-03-10T12:00:00Z')
  await books.pay(paid.id, paid.contactId, '2026-03-10')
  await pass('2026-03-13T12:00:00Z')
  const reason = 'They say that half of it was not delivered.'
  await runOperation(disputeInvoice, context, owner, { id: disputed.id, reason })
  await runOperation(pauseContactReminders, context, owner, { id: paused.contactId, reason })
  await pass('2026-03-17T12:00:00Z')
  const creditId = await books.creditNote(credited.id, credited.contactId, '2026-03-17')
  await runOperation(allocateCredit, context, owner, {
    creditId,
    documentId: credited.id,
    date: '2026-03-17',
  })
  await pass('2026-03-18T12:00:00Z')
  await books.payOnline(reopened.id, '2026-03-18')
  await pass('2026-03-19T12:00:00Z')
  await books.refundOnline(reopened.id, '2026-03-19')
  await pass('2026-03-22T12:00:00Z')
  await runOperation(resumeContactReminders, context, owner, { id: paused.contactId })
  await pass('2026-03-24T12:00:00Z')
  await runOperation(resumeInvoiceReminders, context, owner, { id: disputed.id })
  await pass('2026-03-30T12:00:00Z')
  await runOperation(resumeInvoiceReminders, context, owner, { id: reopened.id })
  // The clock of the machine is put back by two days.
  await pass('2026-04-02T12:00:00Z')
  clock.set(new Date('2026-03-31T12:00:00Z'))
  await pass('2026-04-09T22:00:00Z')
  // The service is down for four days.
  clock.set(new Date('2026-04-14T03:00:00Z'))
  await pass('2026-04-30T09:00:00Z')

  const mails = await remindersOf(world(), books)
  const told = mails.map(({ at, to }) => `${at.toISOString().slice(0, 16)} ${to.split('@')[0]}`)
  expect(told).toEqual([
    '2026-03-04T07:00 hurry',
    '2026-03-05T07:00 today',
    '2026-03-08T07:00 open',
    '2026-03-08T07:00 paid',
    '2026-03-10T07:00 hurry',
    '2026-03-11T07:00 today',
    '2026-03-12T07:00 credited',
    '2026-03-12T07:00 disputed',
    '2026-03-12T07:00 open',
    '2026-03-12T07:00 paused',
    '2026-03-16T07:00 credited',
    '2026-03-17T07:00 hurry',
    '2026-03-17T07:00 reopened',
    '2026-03-18T07:00 open',
    '2026-03-18T07:00 today',
    // Resumed on the day of the step, at noon.
    '2026-03-22T12:00 paused',
    '2026-03-25T07:00 open',
    '2026-03-27T19:00 far',
    '2026-03-29T06:00 disputed',
    '2026-03-29T06:00 paused',
    '2026-03-31T19:00 far',
    '2026-04-03T06:00 reopened',
    '2026-04-06T06:00 outage',
    '2026-04-06T20:00 far',
    '2026-04-09T06:00 late',
    // The step of 10 April is left out. Those of 13 and 14 April are not too late.
    '2026-04-14T03:00 far',
    '2026-04-14T06:00 late',
    '2026-04-16T06:00 outage',
    '2026-04-19T06:00 late',
    '2026-04-23T06:00 outage',
    '2026-04-26T06:00 late',
  ])
  await expectInvariants(world().database)
})
