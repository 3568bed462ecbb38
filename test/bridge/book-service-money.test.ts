// Payments, refunds, chargebacks and payouts of the merchant service are posted in the books.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { jobs } from '../../src/app/background-work.ts'
import { findDocument } from '../../src/books/documents/document-store.ts'
import { issueDocument } from '../../src/books/documents/issue-document.ts'
import { setServiceMoney } from '../../src/books/service-money/set-service-money.ts'
import { bookServiceMoneySchedule } from '../../src/bridge/book-service-money.ts'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import { createWorker } from '../../src/kernel/jobs/worker.ts'
import { post } from '../../src/kernel/ledger/ledger.ts'
import { listLinesOfSource } from '../../src/kernel/ledger/ledger-store.ts'
import { posting } from '../../src/kernel/ledger/posting.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import { listBusinessBalances } from '../../src/merchant/balances/balance-store.ts'
import { withdrawFromWallet } from '../../src/merchant/balances/withdraw-from-wallet.ts'
import { restoringPosting, reversalPosting } from '../../src/merchant/payments/charge-posting.ts'
import { putThreshold } from '../merchant/refunds/paid-payment.ts'
import { manualClock } from '../support/clock.ts'
import { type Books, newBooks } from '../support/documents.ts'
import { brokenInvariants, expectInvariants } from '../support/invariants.ts'
import { metricsText } from '../support/metrics.ts'
import { newCode, newLink, paidPayment, type Shop, shop } from '../support/payments.ts'
import { payer } from '../support/payouts.ts'
import { recipientBody } from '../support/recipients.ts'
import { amountOn } from '../support/service-money.ts'
import { useWorld } from '../support/world.ts'

const clock = manualClock()
const metricsToken = 'a-token-of-sixteen-or-more'
const world = useWorld({ clock, settings: { metricsToken } })
const minute = 60_000

let books: Books
let seller: Shop

beforeEach(async () => {
  books = await newBooks(world(), { baseCurrency: 'NGN' })
  seller = await shop(world(), { businessId: books.businessId })
})
afterEach(() => expectInvariants(world().database))

async function book(): Promise<void> {
  await bookServiceMoneySchedule.run(world().context, new AbortController().signal)
}

async function runJobs(): Promise<void> {
  const { context } = world()
  await createWorker({ context, jobs, schedules: [], slots: 4 }).drain()
}

async function movements(tenant: Tenant = seller.tenant): Promise<string[]> {
  const rows = await world().database.sql<{ text: string }[]>`
    select kind || ' ' || status || ' ' || held_minor as text
    from books.service_movements
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    order by happened_at, id`
  return rows.map(({ text }) => text)
}

const on = (code: string) => amountOn(world(), seller.tenant, code, 'NGN')

// Pending, available, promised and put aside.
async function held(): Promise<bigint> {
  const [balance] = await listBusinessBalances(world().database.sql, seller.tenant)
  if (!balance) return 0n
  const { pendingMinor, availableMinor, reservedMinor, walletMinor } = balance
  return pendingMinor + availableMinor + reservedMinor + walletMinor
}

async function invoice() {
  const { context, database } = world()
  const line = { description: 'Work', unitPrice: '1000', accountId: books.account('4000') }
  const { id } = await books.draft('invoice', { date: '2026-02-20', lines: [line] })
  await runOperation(issueDocument, context, books.owner, { id })
  const find = async () => {
    const found = await findDocument(database.sql, seller.tenant, id)
    return { number: found?.number, status: found?.status, paidMinor: found?.paidMinor }
  }
  return { id, find, number: (await find()).number ?? '' }
}

async function refund(paymentId: string, body: object = {}): Promise<void> {
  await putThreshold(world(), seller.tenant, 'NGN', 100_000_000n)
  const fund = { amount: 10_000, currency: 'NGN' }
  await world().simulator.control(seller.tenant, 'POST', '/fund', fund)
  const path = `/merchant/api/v1/payments/${paymentId}/refund`
  const answer = await world().call('POST', path, { key: seller.key, body })
  expect(answer.status).toBe(200)
}

it('pays the invoice that a link names, and opens it again when it is refunded', async () => {
  const { find, number } = await invoice()
  const path = await newLink(world(), seller, { title: `Invoice ${number}` })
  const payment = await paidPayment(world(), seller, path)
  await book()
  expect(await find()).toMatchObject({ status: 'paid', paidMinor: 100_000n })
  expect([await on('1150'), await on('6060'), await on('1100')]).toEqual([98_500n, 1_500n, 0n])
  await refund(payment.id, { amount: 40_000 })
  await book()
  expect(await find()).toMatchObject({ status: 'partially_paid', paidMinor: 60_000n })
  expect(await on('1150')).toBe(await held())
  expect(await movements()).toEqual(['collected booked 98500', 'refunded booked -40000'])
})

it('books what names no invoice, a share, a chargeback, and nothing for settling', async () => {
  const made = await world().call('POST', '/merchant/api/v1/split-recipients', {
    key: seller.key,
    body: recipientBody(),
  })
  const splitRecipientId = made.body.id
  await paidPayment(world(), seller, await newCode(world(), seller))
  const split = await newLink(world(), seller, { splitRecipientId })
  const disputed = await paidPayment(world(), seller, split)
  await book()
  expect(await movements()).toEqual(['collected booked 98500', 'collected booked 88500'])
  expect([await on('2310'), await on('5200')]).toEqual([-200_000n, 10_000n])
  const by = { subject: 'charge', reference: disputed.reference, step: 'charge_back' }
  await world().simulator.control(seller.tenant, 'POST', '/act', by)
  await world().simulator.drain()
  await runJobs()
  await book()
  expect((await movements()).at(-1)).toBe('charged_back booked -100000')
  expect(await on('1150')).toBe(await held())
})

it('brings the share back with a charge that is restored after it was settled', async () => {
  const { context, database } = world()
  const made = await world().call('POST', '/merchant/api/v1/split-recipients', {
    key: seller.key,
    body: recipientBody(),
  })
  const { find, number } = await invoice()
  const title = `Invoice ${number}`
  const split = await newLink(world(), seller, { title, splitRecipientId: made.body.id })
  const { id } = await paidPayment(world(), seller, split)
  const change = (by: typeof reversalPosting) =>
    database.transaction(async (tx) => {
      const booked = await listLinesOfSource(tx, seller.tenant, id)
      await post(tx, context, seller.tenant, by(id, booked))
    })
  await book()
  await change(reversalPosting)
  await book()
  expect([await on('1150'), await on('5200'), (await find()).status]).toEqual([0n, 0n, 'posted'])
  await change(restoringPosting)
  await book()
  expect((await movements()).at(-1)).toBe('collection_restored booked 88500')
  expect([await on('1150'), await on('5200')]).toEqual([88_500n, 10_000n])
  expect(await find()).toMatchObject({ status: 'paid', paidMinor: 100_000n })
})

it('books payouts to the bank, and leaves alone what is only put aside', async () => {
  const { payOut } = await payer(world(), { businessId: books.businessId })
  expect((await payOut({ amount: 100 })).status).toBe(200)
  await world().simulator.drain()
  await runJobs()
  expect((await payOut({ amount: 50, destinationType: 'service_account' })).status).toBe(200)
  const actor = { ...seller.tenant, kind: 'system', name: 'test' } as const
  const back = { currency: 'NGN', amountMinor: 2_000n }
  await runOperation(withdrawFromWallet, world().context, actor, back)
  await book()
  expect(await movements()).toEqual(['other booked 1000000', 'paid_out booked -10000'])
  expect(await on('1000')).toBe(10_000n)
  expect(await on('1150')).toBe(await held())
})

it('books in the sandbox as it does live', async () => {
  const tenant = { businessId: books.businessId, environment: 'test' } as const
  await paidPayment(world(), await shop(world(), tenant))
  await book()
  expect(await movements(tenant)).toEqual(['collected booked 98500'])
  expect(await movements()).toEqual([])
})

// The payment service books something that moves 1.00.
const moved = (kind = 'opening.balance', currency = 'NGN') =>
  posting({
    kind,
    lines: [
      { account: 'provider:balance', currency, amountMinor: 100n },
      { account: 'merchant:available', currency, amountMinor: -100n },
    ],
  })
const move = () =>
  world().database.transaction((tx) => post(tx, world().context, seller.tenant, moved()))

describe('an entry', () => {
  it('that is committed long after later ones is not lost', async () => {
    const { context, database } = world()
    const begun = Promise.withResolvers<void>()
    const over = Promise.withResolvers<void>()
    const late = database.transaction(async (tx) => {
      await post(tx, context, seller.tenant, moved('opening.late'))
      begun.resolve()
      await over.promise
    })
    await begun.promise
    clock.advance(minute)
    await move()
    await book()
    expect(await movements()).toHaveLength(1)
    clock.advance(5 * minute)
    await move()
    await book()
    over.resolve()
    await late
    clock.advance(minute)
    await book()
    expect(await movements()).toHaveLength(3)
    expect(await on('1150')).toBe(300n)
  })

  it('that came later still is found when it is looked back', async () => {
    const { context, database } = world()
    await move()
    await book()
    const at = clock.now()
    clock.advance(12 * 60 * minute)
    await move()
    await book()
    const stale = { ...context, ids: { ...context.ids, uuid: () => staleId(at) } }
    await database.transaction((tx) => post(tx, stale, seller.tenant, moved('opening.late')))
    await book()
    expect(await movements()).toHaveLength(2)
    expect(await brokenInvariants(database)).toEqual(['I14.42'])
    clock.advance(24 * 60 * minute)
    await book()
    expect(await movements()).toHaveLength(3)
  })

  it('is taken down at once, also between two longer looks', async () => {
    clock.advance(20 * minute)
    await move()
    await book()
    clock.advance(10_000)
    await move()
    await book()
    expect(await movements()).toHaveLength(2)
  })

  it('is not looked at again when nothing happened for long', async () => {
    const placeOf = async () => {
      const [row] = await world().database.sql<{ lookedAt: Date }[]>`
        select looked_at
        from books.service_settings
        where business_id = ${books.businessId}
          and environment = 'live'`
      return row?.lookedAt
    }
    await move()
    for (let minutes = 0; minutes < 13; minutes += 1) {
      clock.advance(minute)
      await book()
    }
    const last = await placeOf()
    clock.advance(60 * minute)
    await book()
    expect(await placeOf()).toEqual(last)
  })

  it('is taken down and booked once by two processes at once', async () => {
    for (let n = 0; n < 5; n += 1) await move()
    await Promise.all([book(), book(), book()])
    await book()
    expect(await movements()).toHaveLength(5)
    expect(await on('1150')).toBe(500n)
  })

  it('from before the day on which it begins is left to people', async () => {
    const { context } = world()
    await move()
    clock.advance(24 * 60 * minute)
    await runOperation(setServiceMoney, context, books.owner, { from: '2999-01-01' })
    await book()
    expect(await movements()).toEqual([])
    await runOperation(setServiceMoney, context, books.owner, {
      from: clock.now().toISOString().slice(0, 10),
    })
    await move()
    await book()
    expect(await movements()).toHaveLength(1)
    await runOperation(setServiceMoney, context, books.owner, { from: '2026-01-01' })
    await book()
    expect(await movements()).toHaveLength(2)
  })

  it('is taken down later when it is switched off and on again', async () => {
    const { context } = world()
    await runOperation(setServiceMoney, context, books.owner, { isOn: false })
    await move()
    clock.advance(60 * minute)
    await book()
    expect(await movements()).toEqual([])
    await runOperation(setServiceMoney, context, books.owner, { isOn: true })
    await book()
    expect(await movements()).toHaveLength(1)
  })
})

it('tells operators what waits, and for how long', async () => {
  const shown = async () => {
    const text = await metricsText(world(), metricsToken)
    return ['tillbook_service_movements_waiting', 'tillbook_oldest_waiting_movement_seconds'].map(
      (name) => new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1],
    )
  }
  expect(await shown()).toEqual(['0', '0'])
  await world().database.transaction((tx) =>
    post(tx, world().context, seller.tenant, moved('opening.balance', 'USD')),
  )
  await book()
  clock.advance(minute)
  expect(await shown()).toEqual(['1', '60'])
  await runOperation(setServiceMoney, world().context, books.owner, { isOn: false })
  expect(await shown()).toEqual(['0', '0'])
})

it('sees a movement that is on clearing with another amount', async () => {
  await move()
  await book()
  const { sql } = world().database
  await sql`
    update books.service_movements
    set held_minor = held_minor + 1
    where business_id = ${books.businessId}`
  expect(await brokenInvariants(world().database)).toEqual(['I14.41'])
  await sql`
    update books.service_movements
    set held_minor = held_minor - 1
    where business_id = ${books.businessId}`
})

function staleId(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7fff-bfff-ffffffffffff`
}
