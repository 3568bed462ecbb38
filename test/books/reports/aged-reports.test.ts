// Aged receivables and payables as of any day, computed by hand and compared with the control
// accounts.

import { beforeAll, describe, expect, test } from 'vitest'
import { recordPayment } from '../../../src/books/payments/record-payment.ts'
import { reportAged } from '../../../src/books/reports/get-aged-report.ts'
import { getReceivableTotals } from '../../../src/books/reports/get-receivable-totals.ts'
import { reportTrialBalance } from '../../../src/books/reports/get-trial-balance.ts'
import { writeJson } from '../../../src/kernel/money/exact-number.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { manualClock } from '../../support/clock.ts'
import { type SettlingBooks, settlingBooks } from '../../support/settling.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld({ clock: manualClock(new Date('2026-06-30T12:00:00Z')) })
let books: SettlingBooks
let acme: string
let beta: string
const ids: Record<string, string> = {}

beforeAll(async () => {
  books = await settlingBooks(world())
  acme = await books.contact('Acme')
  beta = await books.contact('Beta')
  const invoice = (date: string, totalMinor: bigint, more = {}) =>
    books.document({ contactId: acme, totalMinor, date, ...more })
  ids.oldest = await invoice('2026-01-10', 10_000n)
  ids.paid = await invoice('2026-03-01', 20_000n)
  ids.dollars = await invoice('2026-04-01', 30_000n, { currency: 'USD', fxRate: '0.5' })
  ids.newest = await invoice('2026-06-30', 5_000n)
  const pay = (date: string, amount: string, itemId: string, part: string) =>
    runOperation(recordPayment, world().context, books.owner, {
      direction: 'in',
      contactId: acme,
      date,
      currency: 'EUR',
      amount,
      accountId: books.accountId('1000'),
      allocations: [{ itemId, amount: part }],
    })
  await pay('2026-02-15', '40', ids.oldest, '40')
  const over = await pay('2026-03-10', '210', ids.paid, '200')
  ids.over = over.id
  const credit = { kind: 'credit_note', contactId: beta, date: '2026-05-01' } as const
  ids.credit = await books.document({ ...credit, totalMinor: 3_000n })
  const owed = { contactId: beta, date: '2026-05-01' }
  await books.document({ ...owed, kind: 'bill', totalMinor: 8_000n })
  await books.document({ ...owed, kind: 'expense_claim', totalMinor: 2_000n, date: '2026-06-01' })
  await books.document({ ...owed, kind: 'supplier_credit', totalMinor: 1_500n, date: '2026-06-15' })
})

async function aged(side: 'receivables' | 'payables', asOf?: string) {
  const input = asOf === undefined ? { side } : { side, asOf }
  return JSON.parse(writeJson(await runOperation(reportAged, world().context, books.owner, input)))
}

const nothing = {
  current: 0,
  days_1_30: 0,
  days_31_60: 0,
  days_61_90: 0,
  days_over_90: 0,
  unapplied: 0,
  total: 0,
}

describe('receivables', () => {
  test('stand by contact and by how long they are overdue, credits apart', async () => {
    const { as_of, data } = await aged('receivables')
    expect(as_of).toBe('2026-06-30')
    expect(data).toMatchObject({
      side: 'receivables',
      currency: 'EUR',
      totals: {
        ...nothing,
        current: 50,
        days_61_90: 150,
        days_over_90: 60,
        unapplied: -40,
        total: 220,
      },
    })
    const [first, second, ...rest] = data.contacts
    expect(rest).toEqual([])
    expect(first).toMatchObject({
      ...nothing,
      contact_id: acme,
      name: 'Acme',
      current: 50,
      days_61_90: 150,
      days_over_90: 60,
      unapplied: -10,
      total: 250,
    })
    const item = (id: string | undefined) =>
      first.items.find((one: { id: string }) => one.id === id)
    expect(item(ids.dollars)).toEqual({
      id: ids.dollars,
      source: 'document',
      kind: 'invoice',
      number: 'invoice-3',
      reference: null,
      date: '2026-04-01',
      due_date: '2026-04-01',
      bucket: 'days_61_90',
      days_overdue: 90,
      currency: 'USD',
      open: 300,
      open_base: 150,
    })
    expect(item(ids.over)).toMatchObject({
      source: 'payment',
      kind: null,
      bucket: 'unapplied',
      days_overdue: 0,
      open: -10,
      open_base: -10,
    })
    expect(item(ids.paid)).toBeUndefined()
    expect(second).toMatchObject({ ...nothing, name: 'Beta', unapplied: -30, total: -30 })
  })

  test.each([
    ['2026-01-09', {}],
    ['2026-01-10', { current: 100, total: 100 }],
    ['2026-01-11', { days_1_30: 100, total: 100 }],
    ['2026-02-09', { days_1_30: 100, total: 100 }],
    ['2026-02-10', { days_31_60: 100, total: 100 }],
    ['2026-02-15', { days_31_60: 60, total: 60 }],
    ['2026-03-05', { days_31_60: 60, days_1_30: 200, total: 260 }],
    ['2026-03-10', { days_31_60: 60, unapplied: -10, total: 50 }],
    ['2026-03-12', { days_61_90: 60, unapplied: -10, total: 50 }],
    ['2026-04-10', { days_61_90: 60, days_1_30: 150, unapplied: -10, total: 200 }],
    ['2026-04-11', { days_over_90: 60, days_1_30: 150, unapplied: -10, total: 200 }],
  ])('as of %s are what they were', async (day, figures) => {
    expect((await aged('receivables', day)).data.totals).toEqual({ ...nothing, ...figures })
  })
})

test('payables are bills and expense claims, less what suppliers owe', async () => {
  const { data } = await aged('payables')
  expect(data.totals).toEqual({
    ...nothing,
    days_31_60: 80,
    days_1_30: 20,
    unapplied: -15,
    total: 85,
  })
})

test.each([
  '2025-12-31',
  '2026-01-10',
  '2026-02-15',
  '2026-03-10',
  '2026-05-01',
  '2026-06-15',
  '2030-01-01',
])('as of %s both are the balances of their control accounts', async (day) => {
  const trial = await runOperation(reportTrialBalance, world().context, books.owner, { asOf: day })
  const { accounts } = JSON.parse(writeJson(trial)).data
  const balance = (...codes: string[]) =>
    accounts
      .filter(({ code }: { code: string }) => codes.includes(code))
      .reduce((sum: number, one: { balance: number }) => sum + one.balance, 0)
  expect((await aged('receivables', day)).data.totals.total).toBe(balance('1100'))
  expect((await aged('payables', day)).data.totals.total).toBe(0 - balance('2000', '2050'))
})

test('shows nothing of the sandbox', async () => {
  const actor = { ...books.owner, environment: 'test' } as const
  const { data } = await runOperation(reportAged, world().context, actor, { side: 'receivables' })
  expect(data.contacts).toEqual([])
})

test('the sums of today are those of the report', async () => {
  const { current, overdueInvoices, ...overdue } = await runOperation(
    getReceivableTotals,
    world().context,
    books.owner,
    {},
  )
  const { totals, contacts } = (await aged('receivables')).data
  expect([current, ...Object.values(overdue)].slice(0, 5)).toEqual(
    [
      ...[totals.current, totals.days_1_30, totals.days_31_60],
      ...[totals.days_61_90, totals.days_over_90],
    ].map((major: number) => BigInt(Math.round(major * 100))),
  )
  const items: { kind: string; days_overdue: number }[] = contacts.flatMap(
    ({ items: own }: { items: object[] }) => own,
  )
  const late = items.filter(({ kind, days_overdue: days }) => kind === 'invoice' && days > 0)
  expect(late.length).toBeGreaterThan(0)
  expect(overdueInvoices).toBe(late.length)
})
