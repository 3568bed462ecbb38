// Amounts below the smallest unit of the base currency are still on clearing.

import { afterEach, beforeEach, expect, it } from 'vitest'
import { setExchangeRate } from '../../../src/books/currencies/set-exchange-rate.ts'
import { assignServicePayment } from '../../../src/books/service-money/assign-service-payment.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { refusal } from '../../support/refusal.ts'
import { amountOn, booked, givenBack, type WantedMovement } from '../../support/service-money.ts'
import { type SettlingBooks, settlingBooks } from '../../support/settling.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let books: SettlingBooks
let contactId: string

beforeEach(async () => {
  books = await settlingBooks(world())
  contactId = await books.contact()
  const rate = { currency: 'NGN', date: '2026-01-01', rate: '0.0006' }
  await runOperation(setExchangeRate, world().context, books.owner, rate)
})
afterEach(() => books.check())

const book = (...wanted: readonly Omit<WantedMovement, 'currency'>[]) =>
  booked(world(), books.tenant, ...wanted.map((one) => ({ ...one, currency: 'NGN' })))
const on = (code: string) => amountOn(world(), books.tenant, code, 'NGN')
const id = () => world().context.ids.uuid()
// 5.00 NGN are 0.3 of a cent.
const paid = (objectId: string, more: Partial<WantedMovement> = {}) => ({
  ...({ kind: 'collected', heldMinor: 490n, feeMinor: 10n, objectId } as const),
  paymentId: objectId,
  ...more,
})

it('a payment, its refund, and a payout', async () => {
  const foreign = { currency: 'NGN', fxRate: '0.0006' }
  const invoice = await books.document({ contactId, totalMinor: 500_000n, ...foreign })
  const [payment, refund, payout] = [id(), id(), id()]
  const movements = await book(
    paid(payment, { offerText: 'invoice-1' }),
    givenBack(payment, 200n, refund),
    { kind: 'paid_out', heldMinor: -100n, objectId: payout },
  )
  expect(movements.map(({ status, reason }) => [status, reason])).toEqual([
    ['booked', null],
    ['booked', null],
    ['booked', null],
  ])
  expect(await books.entries(payment)).toEqual([
    'service_money.collected 2026-01-20\n1150 0 490 NGN\n6060 0 10 NGN\n2310 0 -500 NGN',
  ])
  expect([await on('1150'), await on('2310')]).toEqual([190n, -200n])
  expect((await books.find(invoice)).status).toBe('posted')
  const another = id()
  await book(paid(another))
  const wanted = { paymentId: another, documentId: invoice }
  expect(
    await refusal(runOperation(assignServicePayment, world().context, books.owner, wanted)),
  ).toBe('Less than the smallest amount of EUR.')
})

it('the share of a recipient, and a small part of a payment that is given back', async () => {
  const foreign = { currency: 'NGN', fxRate: '0.0006' }
  const invoice = await books.document({ contactId, totalMinor: 500_000n, ...foreign })
  const payment = id()
  const money = { heldMinor: 499_900n, feeMinor: 0n, shareMinor: 100n }
  const movements = await book(
    paid(payment, { ...money, offerText: 'invoice-1' }),
    givenBack(payment, 100n, id()),
  )
  expect(movements.map(({ status }) => status)).toEqual(['booked', 'booked'])
  expect([await on('1150'), await on('5200'), await on('2310')]).toEqual([499_800n, 100n, 100n])
  expect((await books.find(invoice)).status).toBe('paid')
})

it('of nothing there is nothing to book', async () => {
  const taken = { kind: 'collection_reversed', heldMinor: 0n, feeMinor: -500n } as const
  const [movement] = await book(taken)
  expect(movement).toMatchObject({ status: 'known', reason: null })
})
