// Documents and journals that a schedule makes by itself.
import { expect } from 'vitest'
import { createRecurringJournal } from '../../src/books/recurring/create-recurring-journal.ts'
import { addDays } from '../../src/kernel/basics/calendar.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import { type Books, newBooks } from '../support/documents.ts'
import { newSchedule } from '../support/recurring.ts'
import { type CardSchedule, chargedSchedule, scheduleCharges } from '../support/recurring-cards.ts'
import { withholdWebhooks } from './charge-operations.ts'
import type { Lane } from './lane.ts'
import { operation } from './sweep.ts'

type Subject = { readonly books: Books; readonly id: string }

const day = 24 * 60 * 60

export const recurringOperations = [
  operation({
    name: 'a recurring invoice is issued and mailed',
    async setUp({ world }) {
      const books = await newBooks(world)
      const schedule = await newSchedule(world, books, { nextDay: tomorrow(world), mode: 'send' })
      return { books, id: schedule.id }
    },
    run: (lane) => lane.pass(day),
    end: (lane, one) => expectMade(lane, one, { invoices: ['sent'], entries: 1, mails: 1 }),
    effects,
  }),
  operation({
    name: 'a recurring journal is posted',
    async setUp({ world }) {
      const books = await newBooks(world)
      const input = {
        name: 'Depreciation',
        mode: 'post',
        intervalUnit: 'month',
        intervalCount: 1,
        nextDay: tomorrow(world),
        description: 'Depreciation of {month}',
        lines: [
          { accountId: books.account('6350'), debit: '100' },
          { accountId: books.account('2200'), credit: '100' },
        ],
      } as const
      const made = await runOperation(createRecurringJournal, world.context, books.owner, {
        ...input,
        lines: [...input.lines],
      })
      return { books, id: made.id }
    },
    run: (lane) => lane.pass(day),
    end: (lane, one) => expectMade(lane, one, { invoices: [], entries: 1, mails: 0 }),
    effects,
  }),
  operation({
    name: 'a recurring invoice is charged to a saved card',
    setUp: (lane) => chargedOnce(lane),
    run: (lane) => lane.pass(7 * day),
    end: expectCharged,
    effects: cardEffects,
  }),
  operation({
    name: 'the answer to the charge of a recurring invoice is lost',
    setUp: (lane) => chargedOnce(lane, { operation: chargeCall, effect: 'drop_after', count: 1 }),
    run: (lane) => lane.pass(7 * day),
    end: expectCharged,
    effects: cardEffects,
  }),
]

const chargeCall = 'POST /tokenized-charges'

// One invoice in a week, which the subscription has paid for.
async function chargedOnce(lane: Lane, rule?: Record<string, unknown>): Promise<CardSchedule> {
  const { world } = lane
  await withholdWebhooks(lane)
  const today = world.context.clock.now().toISOString().slice(0, 10)
  const weekly = { intervalUnit: 'week' } as const
  const input = { ...weekly, nextDay: addDays(today, 7), times: 1 }
  const made = await chargedSchedule(world, input, weekly)
  if (rule) await world.simulator.rule(made.one.tenant, rule)
  return made
}

async function expectCharged({ world }: Lane, made: CardSchedule): Promise<void> {
  const { books, id } = made
  const payments = await scheduleCharges(world, made)
  const periods = await world.database.sql<{ charge: string; status: string }[]>`
    select period.charge, invoice.status
    from books.recurring_periods as period
    join books.documents as invoice
      on invoice.business_id = period.business_id
      and invoice.id = period.document_id
    where period.business_id = ${books.businessId}
      and period.schedule_id = ${id}`
  expect({
    payments: payments.map(({ status }) => status),
    periods: periods.map(({ charge, status }) => [charge, status]),
  }).toEqual({ payments: ['succeeded'], periods: [['charged', 'paid']] })
}

// The invariants check that no other payment is bound to the invoice.
async function cardEffects({ world }: Lane, made: CardSchedule) {
  const [charge] = await scheduleCharges(world, made)
  const reference = charge?.providerReference ?? ''
  return { tenant: made.one.tenant, reference, counts: { charge: 1 } }
}

function tomorrow({ context }: Lane['world']): string {
  return addDays(context.clock.now().toISOString().slice(0, 10), 1)
}

async function expectMade(
  { world }: Lane,
  { books: { businessId }, id }: Subject,
  expected: { invoices: string[]; entries: number; mails: number },
): Promise<void> {
  const { sql } = world.database
  const periods = await sql<{ status: string; reason: string | null }[]>`
    select status, reason
    from books.recurring_periods
    where business_id = ${businessId}
      and schedule_id = ${id}`
  const invoices = await sql<{ status: string }[]>`
    select status
    from books.documents
    where business_id = ${businessId}`
  const entries = await sql`
    select sequence
    from books.journal_entries
    where business_id = ${businessId}`
  const mails = await sql`
    select id
    from kernel.mails
    where business_id = ${businessId}`
  expect({
    periods: periods.map(({ status, reason }) => reason ?? status),
    invoices: invoices.map(({ status }) => status),
    entries: entries.length,
    mails: mails.length,
  }).toEqual({ periods: ['made'], ...expected })
}

// The provider has no part in it.
function effects(_lane: Lane, { books: { businessId, environment }, id }: Subject) {
  return { tenant: { businessId, environment }, reference: id, counts: {} }
}
