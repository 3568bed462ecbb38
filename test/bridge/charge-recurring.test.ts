// Recurring invoices that are charged to the saved card of a subscription: once for each period,
// within what the customer agreed to, instead of the subscription's own renewals.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findDocument } from '../../src/books/documents/document-store.ts'
import { invoicePath } from '../../src/books/invoice-pages/invoice-page.ts'
import { findInvoicePage } from '../../src/books/invoice-pages/invoice-page-store.ts'
import { recordPayment } from '../../src/books/payments/record-payment.ts'
import { editRecurringDocument } from '../../src/books/recurring/edit-recurring-document.ts'
import { endRecurring } from '../../src/books/recurring/end-recurring.ts'
import { getRecurring } from '../../src/books/recurring/get-recurring.ts'
import { setServiceMoney } from '../../src/books/service-money/set-service-money.ts'
import { payerMailJob, subscriberMailJob } from '../../src/bridge/payer-mail-job.ts'
import { stopRecurringCard } from '../../src/bridge/stop-recurring-card.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import { cancelPayment } from '../../src/merchant/payments/cancel-payment.ts'
import { manualClock } from '../support/clock.ts'
import { brokenInvariants, expectInvariants } from '../support/invariants.ts'
import { workerFor } from '../support/jobs.ts'
import { lift, pause } from '../support/pauses.ts'
import { payment, pressPay } from '../support/payments.ts'
import { newSchedule } from '../support/recurring.ts'
import {
  type CardSchedule,
  cardSchedule,
  chargeDue,
  chargedSchedule,
  chooseCard,
  realCharges,
  scheduleCharges,
  workOnce,
} from '../support/recurring-cards.ts'
import { refusal } from '../support/refusal.ts'
import { withRepeatedTransactions } from '../support/repeated-transactions.ts'
import { amountOn } from '../support/service-money.ts'
import { changedCard, ownPage } from '../support/subscriber-page.ts'
import { cancel, cancelAll, chargesOf, renewDue, stateOf } from '../support/subscriptions.ts'
import { useWorld } from '../support/world.ts'

const clock = manualClock()
const world = useWorld({ clock })
const noon = (day: string) => clock.set(new Date(`${day}T12:00:00Z`))
const chargeCall = 'POST /tokenized-charges'
// A month after the subscription, which has paid until then.
const nextDay = '2027-02-15'

const made: CardSchedule[] = []

beforeEach(() => {
  noon('2027-01-15')
})
afterEach(() => expectInvariants(world().database))
afterEach(async () => {
  noon('2027-01-15')
  await lift(world(), 'payments')
  await cancelAll(world())
  // The worker serves all businesses, so the next test would go on with them.
  for (const { books, id } of made.splice(0)) {
    await world().database.sql`
      update books.recurring_schedules
      set status = 'ended', next_day = null
      where business_id = ${books.businessId}
        and id = ${id}`
  }
})

async function charged(input = {}, plan = {}): Promise<CardSchedule> {
  const schedule = await chargedSchedule(world(), { nextDay, ...input }, plan)
  made.push(schedule)
  return schedule
}

async function unchosen(input = {}, plan = {}): Promise<CardSchedule> {
  const schedule = await cardSchedule(world(), { nextDay, ...input }, plan)
  made.push(schedule)
  return schedule
}

const story = ({ books, id }: CardSchedule) =>
  runOperation(getRecurring, world().context, books.owner, { id })

// Oldest first, each with its charge and the state of its invoice.
async function periods(one: CardSchedule) {
  return (await story(one)).periods.toReversed().map((period) => ({
    day: period.day,
    charge: period.chargeNote ?? period.charge,
    invoice: period.documentStatus,
  }))
}

const statuses = async (one: CardSchedule) =>
  (await scheduleCharges(world(), one)).map(({ status }) => status)
const rule = ({ one }: CardSchedule, order: Record<string, unknown>) =>
  world().simulator.rule(one.tenant, order)
const quiet = (one: CardSchedule) => rule(one, { operation: 'webhook', effect: 'withhold' })

async function mails({ books }: CardSchedule) {
  await workerFor(world().context, { jobs: [payerMailJob, subscriberMailJob] }).drain()
  const rows = await world().database.sql<{ kind: string; factId: string; text: string }[]>`
    select told.kind, told.fact_id, mail.body_text as text
    from merchant.payer_mails as told
    join kernel.mails as mail
      on mail.business_id = told.business_id
      and mail.id = told.mail_id
    where told.business_id = ${books.businessId}
    order by mail.id`
  return rows
}

async function notices({ books }: CardSchedule): Promise<string[]> {
  const rows = await world().database.sql<{ fact: string }[]>`
    select fact
    from kernel.notices
    where business_id = ${books.businessId}
      and kind = 'recurring'
    order by created_at`
  return rows.map(({ fact }) => fact.replace(/\/.*/, ''))
}

describe('a period', () => {
  it('is charged when its invoice is mailed, and booked with its fee', async () => {
    const one = await charged()
    await workOnce(world())
    expect(await statuses(one)).toEqual([])
    noon(nextDay)
    await workOnce(world())
    const [charge] = await scheduleCharges(world(), one)
    const [period] = (await story(one)).periods
    expect(charge).toMatchObject({
      status: 'succeeded',
      amountMinor: 100_000n,
      invoiceId: period?.documentId,
      subscriptionId: null,
    })
    expect(await periods(one)).toEqual([{ day: nextDay, charge: 'charged', invoice: 'paid' }])
    const { tenant } = one.one
    const on = (code: string) => amountOn(world(), tenant, code, 'NGN')
    // Its own fee, and that of the first period, which no invoice was made for.
    expect([await on('6060'), await on('1100')]).toEqual([3_000n, 0n])
    const receipt = (await mails(one)).find(({ factId }) => factId === charge?.id)
    expect(receipt?.text).toContain(await ownPage(world(), one.one))
  })

  it('replaces the renewals of the subscription', async () => {
    const one = await charged()
    expect(await stateOf(world(), one.one)).toMatchObject({ scheduleId: one.id, nextAt: null })
    for (const day of ['2027-02-15', '2027-03-15', '2027-04-15']) {
      noon(day)
      await renewDue(world())
      await workOnce(world())
    }
    expect(await statuses(one)).toEqual(['succeeded', 'succeeded', 'succeeded'])
    expect(await chargesOf(world(), one.one)).toHaveLength(1)
    expect(await realCharges(world(), one)).toBe(3)
  })

  it('is charged once by two workers, repeated runs and repeated transactions', async () => {
    const one = await charged()
    noon(nextDay)
    const { context } = world()
    const repeated = { ...context, database: withRepeatedTransactions(context.database) }
    const twice = { ...world(), context: repeated }
    await workOnce(twice)
    await Promise.all([workOnce(world()), workOnce(world())])
    expect([await statuses(one), await realCharges(world(), one)]).toEqual([['succeeded'], 1])
  })

  it('stays unknown until the provider tells, and is charged once', async () => {
    const one = await charged()
    noon(nextDay)
    await quiet(one)
    await rule(one, { operation: chargeCall, effect: 'drop_after', count: 1 })
    await workOnce(world())
    expect(await statuses(one)).toEqual(['processing'])
    expect(await periods(one)).toMatchObject([{ charge: 'charged', invoice: 'sent' }])
    clock.advance(3 * 60 * 1000)
    await workOnce(world())
    expect(await statuses(one)).toEqual(['succeeded'])
    expect(await periods(one)).toMatchObject([{ invoice: 'paid' }])
    expect(await realCharges(world(), one)).toBe(1)
  })

  it('is sent again under its reference if it did not arrive, unless it was cancelled', async () => {
    const sent = await charged()
    const cancelled = await charged()
    noon(nextDay)
    for (const one of [sent, cancelled]) {
      await quiet(one)
      await rule(one, { operation: chargeCall, effect: 'drop', count: 1 })
    }
    await workOnce(world())
    const [before] = await scheduleCharges(world(), sent)
    await cancel(world(), cancelled.one)
    for (const minutes of [3, 15, 3]) {
      clock.advance(minutes * 60 * 1000)
      await workOnce(world())
    }
    const [after] = await scheduleCharges(world(), sent)
    expect([after?.status, after?.providerReference]).toEqual([
      'succeeded',
      before?.providerReference,
    ])
    expect(await realCharges(world(), sent)).toBe(1)
    clock.advance(25 * 60 * 60 * 1000)
    await workOnce(world())
    expect(await statuses(cancelled)).toEqual(['failed'])
    expect(await realCharges(world(), cancelled)).toBe(0)
  })

  it('that is declined leaves the invoice open, and the customer can pay it', async () => {
    const one = await charged()
    noon(nextDay)
    await rule(one, { operation: 'charge', effect: 'decline', count: 1 })
    await workOnce(world())
    for (const day of ['2027-02-16', '2027-02-20', '2027-02-28']) {
      noon(day)
      await workOnce(world())
      await renewDue(world())
    }
    expect(await statuses(one)).toEqual(['failed'])
    expect(await periods(one)).toMatchObject([{ charge: 'charged', invoice: 'sent' }])
    expect((await stateOf(world(), one.one)).status).toBe('active')
    expect(await notices(one)).toEqual(['recurring.declined'])
    const told = (await mails(one)).filter(({ kind }) => kind === 'failed_renewal')
    expect(told).toHaveLength(1)
    const path = /\/i\/\w+/.exec(told[0]?.text ?? '')?.[0] ?? ''
    expect(told[0]?.text).toContain(await ownPage(world(), one.one))
    const paid = await payment(world(), one.one, path)
    await world().simulator.pay(paid.tenant, paid.reference)
    await world().call('GET', `/pay/return/${paid.reference}`)
    await workOnce(world())
    expect(await periods(one)).toMatchObject([{ invoice: 'paid' }])
    // The next one is charged to the new card.
    await changedCard(world(), one.one)
    noon('2027-03-15')
    await workOnce(world())
    expect(await statuses(one)).toEqual(['failed', 'succeeded'])
  })

  it('that is late by more than three days is never charged', async () => {
    const made = await charged()
    const issued = await charged()
    noon(nextDay)
    // One is mailed in time and can't be charged; the other is not even made.
    await pause(world(), 'payments')
    await world().database.sql`
      update books.recurring_schedules
      set try_at = '2027-02-20T00:00:00Z'
      where business_id = ${made.books.businessId}`
    await workOnce(world())
    expect(await periods(issued)).toMatchObject([{ charge: 'due', invoice: 'sent' }])
    noon('2027-02-20')
    await lift(world(), 'payments')
    await workOnce(world())
    await workOnce(world())
    const late = 'It is more than three days late, so the card was not charged.'
    expect(await periods(issued)).toMatchObject([{ charge: late, invoice: 'sent' }])
    expect(await periods(made)).toMatchObject([{ charge: null, invoice: 'draft' }])
    expect([...(await statuses(issued)), ...(await statuses(made))]).toEqual([])
    expect(await notices(issued)).toEqual(['recurring.uncharged'])
  })

  it('is charged for what is still due, and not beside a customer who pays', async () => {
    const one = await charged()
    noon(nextDay)
    await pause(world(), 'payments')
    await workOnce(world())
    await lift(world(), 'payments')
    const [period] = (await story(one)).periods
    const documentId = period?.documentId ?? ''
    const { tenant } = one.one
    const page = await findInvoicePage(world().database.sql, tenant, documentId)
    const begun = await payment(world(), one.one, invoicePath(tenant, page?.publicId ?? ''))
    await workOnce(world())
    expect(await periods(one)).toMatchObject([{ charge: 'due' }])
    await runOperation(cancelPayment, world().context, one.books.owner, { id: begun.id })
    await workOnce(world())
    const document = await findDocument(world().database.sql, one.one.tenant, documentId)
    await runOperation(recordPayment, world().context, one.books.owner, {
      ...{ direction: 'in', date: nextDay, currency: 'NGN', amount: '400' },
      contactId: document?.contactId ?? '',
      accountId: one.books.account('1000'),
      allocations: [{ itemId: documentId, amount: '400' }],
    })
    await chargeDue(world())
    const [charge] = await scheduleCharges(world(), one)
    expect([charge?.amountMinor, charge?.status]).toEqual([60_000n, 'succeeded'])
  })

  it('of a cancelled subscription is not charged', async () => {
    const one = await charged()
    const page = await ownPage(world(), one.one)
    const shown = await world().call('GET', page)
    expect(shown.text).toContain('You get an invoice for each period.')
    await pressPay(world(), `${page}/cancel`, { when: 'period_end' })
    expect((await stateOf(world(), one.one)).status).toBe('cancelled')
    noon(nextDay)
    await workOnce(world())
    expect(await periods(one)).toEqual([
      { day: nextDay, charge: 'The subscription was cancelled.', invoice: 'sent' },
    ])
    expect(await realCharges(world(), one)).toBe(0)
  })

  it('is shown to the subscriber with its receipt', async () => {
    const one = await charged()
    noon(nextDay)
    await workOnce(world())
    const { text } = await world().call('GET', await ownPage(world(), one.one))
    const [charge] = await scheduleCharges(world(), one)
    expect(text).toContain(`/receipt/${charge?.providerReference}/`)
  })
})

describe('the card', () => {
  const chosen = (one: CardSchedule) => refusal(chooseCard(world(), one))

  it('is refused beyond what the customer agreed to', async () => {
    const line = (unitPrice: string, one: CardSchedule) => ({
      lines: [{ description: 'More', unitPrice, accountId: one.books.account('4000') }],
    })
    const one = await unchosen()
    const other = async (input: object) => {
      const { contactId } = (await story(one)).schedule
      const { id } = await newSchedule(world(), one.books, {
        mode: 'send',
        nextDay,
        contactId: contactId ?? '',
        ...line('1000', one),
        ...input,
      })
      const schedule = { ...one, id }
      made.push(schedule)
      return schedule
    }
    expect(await chosen(await other(line('1000.01', one)))).toBe(
      'The customer agreed to at most NGN 1000.00.',
    )
    expect(await chosen(await other({ intervalUnit: 'week' }))).toBe(
      'The customer agreed to a charge every month.',
    )
    expect(await chosen(await other({ nextDay: '2027-02-14' }))).toBe(
      'The customer has paid until 2027-02-15. Choose that day or a later one.',
    )
    expect(await chosen(await other({ mode: 'post' }))).toContain('Only invoices that are issued')
    const stranger = await one.books.contact({ email: 'other@example.com' })
    expect(await chosen(await other({ contactId: stranger.id }))).toContain(
      'another e-mail address',
    )
    await chooseCard(world(), one)
    expect(await chosen(one)).toBe('It charges a saved card already.')
    expect(await chosen(await other({}))).toBe('Another recurring invoice is charged to its card.')
  })

  it('is refused in another currency, without payments of invoices, and when it ends', async () => {
    const foreign = await unchosen({}, { currency: 'EUR', amountMinor: 100_000n })
    expect(await chosen(foreign)).toBe('The customer agreed to EUR, and the invoice is in NGN.')
    const off = await unchosen()
    await runOperation(setServiceMoney, world().context, off.books.owner, { isOn: false })
    expect(await chosen(off)).toContain('Switch on online payment of invoices first')
    const ending = await unchosen()
    await cancel(world(), ending.one, 'period_end')
    expect(await chosen(ending)).toBe('The subscription ends after the paid period.')
    await cancel(world(), ending.one)
    expect(await chosen(ending)).toBe('The subscription was cancelled.')
    const ended = await unchosen()
    await runOperation(endRecurring, world().context, ended.books.owner, { id: ended.id })
    expect(await chosen(ended)).toContain('The schedule has ended.')
    const stranger = await unchosen()
    const elsewhere = { ...stranger, one: foreign.one }
    expect(await chosen(elsewhere)).toBe('There is no such subscription.')
  })

  it('keeps the terms when the schedule is changed', async () => {
    const one = await charged()
    const { schedule } = await story(one)
    const edit = async (changes: object) => {
      const { contactId, name, mode, intervalUnit, intervalCount, version } = schedule
      const accountId = one.books.account('4000')
      return runOperation(editRecurringDocument, world().context, one.books.owner, {
        ...{ id: one.id, version, name, mode, intervalUnit, intervalCount, nextDay },
        contactId: contactId ?? '',
        lines: [{ description: 'Retainer', unitPrice: '900', accountId }],
        ...changes,
      })
    }
    const accountId = one.books.account('4000')
    const more = [{ description: 'Retainer', unitPrice: '1001', accountId }]
    expect(await refusal(edit({ lines: more }))).toContain('more than the customer agreed to')
    expect(await refusal(edit({ mode: 'post' }))).toContain('Only mailed invoices')
    expect(await refusal(edit({ intervalUnit: 'week' }))).toContain('this rhythm')
    const other = await one.books.contact({ email: 'other@example.com' })
    expect(await refusal(edit({ contactId: other.id }))).toContain('belongs to this customer')
    expect(await edit({})).toMatchObject({ totalMinor: 90_000n, subscriptionId: one.one.id })
  })

  it('is not charged more often than agreed, also if the day is moved', async () => {
    const one = await charged()
    noon(nextDay)
    await workOnce(world())
    const { schedule } = await story(one)
    const { contactId, name, mode, intervalUnit, intervalCount, version } = schedule
    await runOperation(editRecurringDocument, world().context, one.books.owner, {
      ...{ id: one.id, version, name, mode, intervalUnit, intervalCount, nextDay: '2027-02-20' },
      contactId: contactId ?? '',
      lines: [{ description: 'Again', unitPrice: '10', accountId: one.books.account('4000') }],
    })
    noon('2027-02-20')
    await workOnce(world())
    expect((await periods(one)).map(({ charge }) => charge)).toEqual([
      'charged',
      'The customer has paid until 2027-03-15. Choose that day or a later one.',
    ])
    expect(await realCharges(world(), one)).toBe(1)
  })

  it('is no longer charged after a person stops it, and the renewals stay off', async () => {
    const one = await charged()
    const stop = () =>
      runOperation(stopRecurringCard, world().context, one.books.owner, { id: one.id })
    await stop()
    expect(await refusal(stop())).toBe('It charges no saved card.')
    noon(nextDay)
    await workOnce(world())
    await renewDue(world())
    expect(await periods(one)).toMatchObject([{ charge: null, invoice: 'sent' }])
    expect(await chargesOf(world(), one.one)).toHaveLength(1)
    expect((await stateOf(world(), one.one)).status).toBe('active')
  })

  it('stopped between the mail and the charge is not charged', async () => {
    const one = await charged()
    noon(nextDay)
    await pause(world(), 'payments')
    await workOnce(world())
    await lift(world(), 'payments')
    await runOperation(stopRecurringCard, world().context, one.books.owner, { id: one.id })
    await workOnce(world())
    expect(await periods(one)).toMatchObject([
      { charge: 'The card is no longer charged by this schedule.' },
    ])
    expect(await realCharges(world(), one)).toBe(0)
  })
})

it('the invariants find a charge without its period, and one for too much', async () => {
  const one = await charged()
  noon(nextDay)
  await workOnce(world())
  const { sql } = world().database
  const { businessId } = one.books
  const found = () => brokenInvariants(world().database)
  await sql`
    update books.recurring_periods
    set charge = 'left'
    where business_id = ${businessId}`
  expect(await found()).toEqual(['I15.4'])
  await sql`
    update books.recurring_periods
    set charge = 'charged'
    where business_id = ${businessId}`
  await sql`
    update merchant.plans
    set amount_minor = 99_999
    where business_id = ${businessId}`
  expect(await found()).toEqual(['I15.3'])
  await sql`
    update merchant.plans
    set amount_minor = 100_000
    where business_id = ${businessId}`
})
