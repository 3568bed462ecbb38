// Reports of the merchant service: payments through links, refunds and payouts, each posted once.

import { beforeEach, expect, it } from 'vitest'
import { setExchangeRate } from '../../../src/books/currencies/set-exchange-rate.ts'
import { type LinkPayment, postLinkPayment } from '../../../src/books/payments/post-link-payment.ts'
import { postLinkRefund } from '../../../src/books/payments/post-link-refund.ts'
import { type Payout, postPayout } from '../../../src/books/payments/post-payout.ts'
import { recordPayment } from '../../../src/books/payments/record-payment.ts'
import { bookLinkRefund } from '../../../src/books/service-money/book-link-refund.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { refusal } from '../../support/refusal.ts'
import { type SettlingBooks, settlingBooks } from '../../support/settling.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let books: SettlingBooks
let contactId: string

beforeEach(async () => {
  books = await settlingBooks(world())
  contactId = await books.contact()
})

const system = () => ({ ...books.tenant, kind: 'system', name: 'payments' }) as const

const paid = (documentId: string, told: Partial<LinkPayment> = {}) =>
  world().database.transaction((tx) =>
    postLinkPayment(tx, world().context, system(), {
      externalId: 'payment-1',
      documentId,
      date: '2026-01-20',
      currency: 'EUR',
      amountMinor: 10000n,
      feeMinor: 290n,
      ...told,
    }),
  )

const refunded = async (externalId: string, amountMinor: bigint, date = '2026-02-01') => {
  const told = { externalId, paymentExternalId: 'payment-1', date, amountMinor }
  const posted = await world().database.transaction((tx) =>
    postLinkRefund(tx, world().context, system(), told),
  )
  return posted.refund
}

const paidOut = async (payout: Payout) => {
  const posted = await world().database.transaction((tx) =>
    postPayout(tx, world().context, system(), payout),
  )
  return posted.sequence
}

async function entryCount(): Promise<number> {
  const [row] = await world().database.sql<{ count: number }[]>`
    select count(*)::integer as count
    from books.journal_entries
    where business_id = ${books.tenant.businessId}`
  return row?.count ?? 0
}

async function balance(code: string): Promise<bigint> {
  const [row] = await world().database.sql<{ baseMinor: bigint }[]>`
    select coalesce(sum(base_minor), 0)::bigint as base_minor
    from books.journal_lines
    where business_id = ${books.tenant.businessId}
      and account_id = ${books.accountId(code)}`
  return row?.baseMinor ?? 0n
}

it('books a payment through a link once, without the fee, also when it is told at once', async () => {
  const id = await books.document({ contactId, totalMinor: 10000n })
  const told = await Promise.all([paid(id), paid(id), paid(id)])
  expect(new Set(told.map((payment) => payment.id)).size).toBe(1)
  expect(await entryCount()).toBe(2)
  expect(await books.entries(told[0].id)).toEqual([
    'payment.recorded 2026-01-20\n1150 9710 9710 EUR\n6060 290 290 EUR\n1100 -10000 -10000 EUR',
  ])
  expect((await books.find(id)).status).toBe('paid')
  expect(await books.events(id)).toEqual(['invoice.paid'])
  expect(await refusal(paid(id, { amountMinor: 9999n }))).toBe(
    'Another payment is already posted as payment-1.',
  )
  await books.check()
})

it('keeps as a credit what does not fit the invoice', async () => {
  const id = await books.document({ contactId, totalMinor: 4000n })
  const first = await paid(id)
  expect(await books.open(first.id)).toEqual([-6000n, -6000n])
  const second = await paid(id, { externalId: 'payment-2' })
  expect(await books.open(second.id)).toEqual([-10000n, -10000n])
  await books.check()
})

it('books on the first open day what happened in a locked period', async () => {
  const id = await books.document({ contactId, totalMinor: 10000n })
  await world().database.sql`
    update books.organisations
    set soft_locked_until = '2026-01-31', hard_locked_until = '2026-01-15'
    where business_id = ${books.tenant.businessId}`
  expect((await paid(id)).date).toBe('2026-02-01')
})

it('opens the invoice again by the refunded amount, once per refund', async () => {
  const id = await books.document({ contactId, totalMinor: 10000n })
  await paid(id)
  await Promise.all([refunded('refund-1', 3000n), refunded('refund-1', 3000n)])
  expect(await books.find(id)).toMatchObject({ status: 'partially_paid', paidMinor: 7000n })
  expect(await books.open(id)).toEqual([3000n, 3000n])
  expect(await balance('1150')).toBe(6710n)
  await refunded('refund-2', 7000n)
  expect(await books.find(id)).toMatchObject({ status: 'posted', paidMinor: 0n })
  expect(await balance('1150')).toBe(-290n)
  expect(await refusal(refunded('refund-3', 1n))).toBe(
    'The refund is more than the remaining payment.',
  )
  expect(await books.events(id)).toEqual(['invoice.paid'])
  await books.check()
})

it('gives back what the payment has left before it opens the invoice', async () => {
  const id = await books.document({ contactId, totalMinor: 6000n })
  await paid(id)
  await refunded('refund-1', 4000n)
  expect((await books.find(id)).status).toBe('paid')
  await refunded('refund-2', 1000n, '2026-01-19')
  expect(await books.open(id)).toEqual([1000n, 1000n])
  await books.check()
})

it('takes a refund again with the same amount alone', async () => {
  const id = await books.document({ contactId, totalMinor: 10000n })
  await paid(id)
  const { id: first } = await refunded('refund-1', 3000n)
  expect((await refunded('refund-1', 3000n)).id).toBe(first)
  expect(await refusal(refunded('refund-1', 2000n))).toBe(
    'Another payment is already posted as refund-1.',
  )
  expect(await refusal(refunded('payment-1', 10000n))).toBe(
    'Another payment is already posted as payment-1.',
  )
  expect(await balance('1150')).toBe(6710n)
})

it('takes a refund in the currency of its payment alone', async () => {
  const id = await books.document({ contactId, totalMinor: 10000n })
  await paid(id)
  const told = {
    ...{ externalId: 'refund-1', paymentExternalId: 'payment-1', date: '2026-02-01' },
    amount: '5000',
  }
  const book = (currency: string) =>
    runOperation(bookLinkRefund, world().context, books.owner, { ...told, currency })
  expect(await refusal(book('JPY'))).toBe('The payment is in EUR.')
  expect(await books.find(id)).toMatchObject({ status: 'paid', paidMinor: 10000n })
})

it('does not know refunds of payments that were never told', async () => {
  expect(await refusal(refunded('refund-1', 1n))).toBe('No such payment.')
})

it('moves a payout from clearing to the bank, once', async () => {
  const id = await books.document({ contactId, totalMinor: 10000n })
  await paid(id)
  const payout = {
    id: world().context.ids.uuid(),
    date: '2026-01-25',
    currency: 'EUR',
    amountMinor: 9710n,
    accountId: books.accountId('1000'),
  }
  const told = [payout, payout].map((one) => paidOut(one))
  const sequences = await Promise.all(told)
  expect(new Set(sequences).size).toBe(1)
  expect(await books.entries(payout.id)).toEqual([
    'payout.received 2026-01-25\n1000 9710 9710 EUR\n1150 -9710 -9710 EUR',
  ])
  expect(await balance('1150')).toBe(0n)
  const differing = paidOut({ ...payout, amountMinor: 9709n })
  expect(await refusal(differing)).toBe('Another payout is already posted with this id.')
})

it('is not taken in by an id that something else has in the books', async () => {
  const id = await books.document({ contactId, totalMinor: 10000n })
  await paid(id)
  const about = { date: '2026-01-25', currency: 'EUR', accountId: books.accountId('1000') }
  await paidOut({ ...about, id, amountMinor: 9710n })
  expect(await balance('1000')).toBe(9710n)
  expect(await balance('1150')).toBe(0n)
})

it('takes a foreign payout out of clearing at what it is carried at', async () => {
  const { context } = world()
  const setRate = (date: string, rate: string) =>
    runOperation(setExchangeRate, context, books.owner, { currency: 'USD', date, rate })
  await setRate('2026-01-01', '0.9')
  await setRate('2026-01-25', '0.8')
  const foreign = { currency: 'USD', feeMinor: 0n }
  const id = await books.document({ contactId, totalMinor: 20000n, ...foreign, fxRate: '0.9' })
  await paid(id, foreign)
  await runOperation(recordPayment, context, books.owner, {
    direction: 'in',
    contactId,
    date: '2026-01-21',
    currency: 'USD',
    amount: '100',
    rate: '1',
    accountId: books.accountId('1150'),
  })
  // 200 USD at 190.00: half of it leaves at 95.00 and is worth 80.00.
  const payout = { id: context.ids.uuid(), date: '2026-01-25', currency: 'USD' }
  const wanted = { ...payout, amountMinor: 10000n, accountId: books.accountId('1000') }
  await paidOut(wanted)
  expect(await books.entries(payout.id)).toEqual([
    'payout.received 2026-01-25\n1000 8000 8000 EUR\n1150 -9500 -10000 USD\n6900 1500 1500 EUR',
  ])
  await paidOut({ ...wanted, id: context.ids.uuid() })
  expect(await balance('1150')).toBe(0n)
})
