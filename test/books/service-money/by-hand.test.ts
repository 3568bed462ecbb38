// Manual postings of what the merchant service did, and its later reports.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAccount } from '../../../src/books/accounts/create-account.ts'
import { removePayment } from '../../../src/books/payments/remove-payment.ts'
import { assignServicePayment } from '../../../src/books/service-money/assign-service-payment.ts'
import { bookLinkPayment } from '../../../src/books/service-money/book-link-payment.ts'
import { bookLinkRefund } from '../../../src/books/service-money/book-link-refund.ts'
import { bookPayout } from '../../../src/books/service-money/book-payout.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { manualClock } from '../../support/clock.ts'
import { refusal } from '../../support/refusal.ts'
import {
  amountOn,
  booked,
  givenBack,
  paid,
  restored,
  takenBack,
  type WantedMovement,
} from '../../support/service-money.ts'
import { type SettlingBooks, settlingBooks } from '../../support/settling.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock(new Date('2026-03-01T12:00:00Z'))
const world = useWorld({ clock })
let books: SettlingBooks
let invoice: string

beforeEach(async () => {
  books = await settlingBooks(world())
  invoice = await books.document({ contactId: await books.contact(), totalMinor: 10000n })
})
afterEach(() => books.check())

const book = (...wanted: readonly WantedMovement[]) => booked(world(), books.tenant, ...wanted)
const on = (code: string) => amountOn(world(), books.tenant, code, 'EUR')
const id = () => world().context.ids.uuid()

const payment = (externalId: string, more: object = {}) =>
  runOperation(bookLinkPayment, world().context, books.owner, {
    ...{ externalId, documentId: invoice, date: '2026-01-20', currency: 'EUR' },
    ...{ amount: '100', fee: '2.90', ...more },
  })
const refund = (externalId: string, paymentExternalId: string, more: object = {}) =>
  runOperation(bookLinkRefund, world().context, books.owner, {
    ...{ externalId, paymentExternalId, date: '2026-02-01', currency: 'EUR', amount: '30' },
    ...more,
  })
const payout = (own: string, more: object = {}) =>
  runOperation(bookPayout, world().context, books.owner, {
    ...{ id: own, accountId: books.accountId('1000'), date: '2026-02-01', currency: 'EUR' },
    ...{ amount: '50', ...more },
  })

describe('a later report', () => {
  it('is known by its id, however that was written', async () => {
    const [own, back] = [id(), id()]
    await payment(own.toUpperCase())
    await refund(back.toUpperCase(), own.toUpperCase())
    const movements = await book(paid(own), givenBack(own, 3000n, back))
    expect(movements.map(({ status }) => status)).toEqual(['known', 'known'])
    expect(await on('1150')).toBe(6710n)
  })

  it.each([
    ['amount', { amount: '99' }],
    ['fee', { fee: '2.80' }],
  ])('waits where it was booked with another %s, until that is removed', async (_what, other) => {
    const own = id()
    const { id: wrong } = await payment(own, other)
    const [movement] = await book(paid(own, { offerText: 'invoice-1' }))
    expect(movement).toMatchObject({
      status: 'waiting',
      reason:
        'It was posted by hand with other values. The payment service says 100.00 EUR with a fee ' +
        'of 2.90 EUR. Remove that payment; it is then posted automatically.',
    })
    const { context } = world()
    await runOperation(removePayment, context, books.owner, {
      paymentId: wrong,
      date: '2026-02-01',
    })
    clock.advance(3_600_000)
    await book()
    expect([await on('1150'), (await books.find(invoice)).status]).toEqual([9710n, 'paid'])
  })

  it('waits where a refund was booked with another amount', async () => {
    const [own, back] = [id(), id()]
    await book(paid(own, { offerText: 'invoice-1' }))
    await refund(back, own, { amount: '29' })
    const [movement] = await book(givenBack(own, 3000n, back))
    expect(movement).toMatchObject({ status: 'waiting' })
    expect([await on('1150'), await on('2310')]).toEqual([6810n, 0n])
  })

  it('may have the share of a recipient among the fees', async () => {
    const own = id()
    await payment(own, { fee: '10' })
    const [movement] = await book(paid(own, { heldMinor: 9000n, shareMinor: 710n }))
    expect([movement?.status, await on('1150')]).toEqual(['known', 9000n])
  })
})

describe('an earlier report', () => {
  it('is booked by hand with the amounts of the payment service only', async () => {
    const own = id()
    const [movement] = await book(paid(own, { offerText: 'invoice-1' }))
    const { context } = world()
    const removal = { paymentId: movement?.bookedPaymentId ?? '', date: '2026-02-01' }
    await runOperation(removePayment, context, books.owner, removal)
    expect(await refusal(payment(own, { amount: '90' }))).toBe(
      'The payment service says 100.00 EUR with a fee of 2.90 EUR.',
    )
    expect(await on('1150')).toBe(0n)
  })

  it('and came again is not booked by hand as well', async () => {
    const own = id()
    const named = { offerText: 'invoice-1' }
    await book(paid(own, named), takenBack(own), restored(own, named))
    expect(await refusal(payment(own))).toBe('It is already posted. Remove that payment first.')
    expect(await on('1150')).toBe(9710n)
  })

  it('is not refunded twice, from payments to assign and by hand', async () => {
    const [own, back] = [id(), id()]
    const named = { offerText: 'invoice-1' }
    // Too much for the payment.
    await book(paid(own, named), givenBack(own, 9000n, id()), givenBack(own, 3000n, back))
    expect(await refusal(refund(back, own))).toBe(
      'It was posted automatically, from the payments to assign.',
    )
  })

  it('is not paid out by hand where it did not arrive', async () => {
    const own = id()
    const paidOut = { kind: 'paid_out', heldMinor: -5000n, objectId: own } as const
    await book(paidOut, { ...paidOut, kind: 'payout_reversed', heldMinor: 5000n })
    expect(await refusal(payout(own))).toBe('The payout did not arrive.')
    expect(await on('1000')).toBe(0n)
  })
})

it('a refund of an assigned payment leaves clearing, posted by a person or automatically', async () => {
  const [own, back] = [id(), id()]
  await book(paid(own))
  const wanted = { paymentId: own, documentId: invoice }
  await runOperation(assignServicePayment, world().context, books.owner, wanted)
  await refund(back, own)
  expect([await on('1150'), await on('2310')]).toEqual([6710n, 0n])
  const [movement] = await book(givenBack(own, 3000n, back))
  expect(movement?.status).toBe('known')
  expect([await on('1150'), await on('2310')]).toEqual([6710n, 0n])
  expect(await books.find(invoice)).toMatchObject({ status: 'partially_paid', paidMinor: 7000n })
})

it('money is booked by hand when it has moved', async () => {
  const early = 'Money that moves must be dated today (2026-03-01) or earlier.'
  const late = { date: '2026-03-02' }
  const own = id()
  expect(await refusal(payment(own, late))).toBe(early)
  await payment(own, { date: '2026-03-01' })
  expect(await refusal(refund(id(), own, late))).toBe(early)
  expect(await refusal(payout(id(), late))).toBe(early)
})

describe('a payout onto an account in a third currency', () => {
  it('states what came in there', async () => {
    const wanted = { code: '1020', name: 'Dollars', type: 'asset', subtype: 'bank' } as const
    const account = { ...wanted, currency: 'USD' }
    const { id: accountId } = await runOperation(
      createAccount,
      world().context,
      books.owner,
      account,
    )
    const own = id()
    expect(await refusal(payout(own, { accountId }))).toBe(
      'Dollars is kept in USD and takes no EUR. State account_amount, what moved there in USD.',
    )
    await payout(own, { accountId, accountAmount: '55.10' })
    expect(await amountOn(world(), books.tenant, '1020', 'USD')).toBe(5510n)
    expect(await on('1150')).toBe(-5000n)
  })
})
