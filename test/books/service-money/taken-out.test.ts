// Payments that people removed from the books although the merchant service has the money: they can
// be posted again, and are on clearing once.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removePayment } from '../../../src/books/payments/remove-payment.ts'
import { assignServicePayment } from '../../../src/books/service-money/assign-service-payment.ts'
import { bookLinkPayment } from '../../../src/books/service-money/book-link-payment.ts'
import { bookLinkRefund } from '../../../src/books/service-money/book-link-refund.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { refusal } from '../../support/refusal.ts'
import {
  amountOn,
  booked,
  givenBack,
  notGivenBack,
  paid,
  takenBack,
  type WantedMovement,
} from '../../support/service-money.ts'
import { type SettlingBooks, settlingBooks } from '../../support/settling.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let books: SettlingBooks
let invoice: string
let another: string

beforeEach(async () => {
  books = await settlingBooks(world())
  invoice = await books.document({ contactId: await books.contact(), totalMinor: 10000n })
  another = await books.document({ contactId: await books.contact('Other'), totalMinor: 10000n })
})
afterEach(() => books.check())

const book = (...wanted: readonly WantedMovement[]) => booked(world(), books.tenant, ...wanted)
const on = (code: string) => amountOn(world(), books.tenant, code, 'EUR')
const id = () => world().context.ids.uuid()
const named = { offerText: 'invoice-1' }

const assign = (paymentId: string, documentId: string) =>
  runOperation(assignServicePayment, world().context, books.owner, { paymentId, documentId })
const byHand = (externalId: string, documentId: string) =>
  runOperation(bookLinkPayment, world().context, books.owner, {
    ...{ externalId, documentId, date: '2026-01-20', currency: 'EUR' },
    ...{ amount: '100', fee: '2.90' },
  })
const refundByHand = (externalId: string, paymentExternalId: string) =>
  runOperation(bookLinkRefund, world().context, books.owner, {
    ...{ externalId, paymentExternalId, date: '2026-02-01', currency: 'EUR' },
    amount: '30',
  })
const remove = (paymentId: string | null | undefined, date = '2026-02-01') =>
  runOperation(removePayment, world().context, books.owner, { paymentId: paymentId ?? '', date })
const statusOf = async (documentId: string) => (await books.find(documentId)).status

describe('a payment that was booked by hand and removed', () => {
  it('books itself when it is told', async () => {
    const payment = id()
    await remove((await byHand(payment, another)).id)
    const [movement] = await book(paid(payment, named))
    expect(movement?.status).toBe('booked')
    expect([await on('1150'), await statusOf(invoice)]).toEqual([9710n, 'paid'])
  })

  it('after it was told is booked again by assigning it, with the share', async () => {
    const payment = id()
    const { id: own } = await byHand(payment, invoice)
    const share = { heldMinor: 9000n, shareMinor: 710n }
    expect((await book(paid(payment, share)))[0]?.status).toBe('known')
    await remove(own)
    await assign(payment, another)
    expect([await on('1150'), await on('6060'), await on('5200')]).toEqual([9000n, 290n, 710n])
    expect([await statusOf(invoice), await statusOf(another)]).toEqual(['posted', 'paid'])
    await book({ ...takenBack(payment), heldMinor: -9000n })
    expect([await on('1150'), await on('5200')]).toEqual([0n, 0n])
  })
})

describe('a payment that has booked itself and was removed', () => {
  it('is booked again by assigning it to the right invoice, once', async () => {
    const payment = id()
    const [movement] = await book(paid(payment, named))
    await remove(movement?.bookedPaymentId)
    expect(await on('1150')).toBe(0n)
    const { accountId, feeMinor } = await assign(payment, another)
    expect([accountId, feeMinor]).toEqual([books.accountId('1150'), 290n])
    expect([await on('1150'), await on('2310')]).toEqual([9710n, 0n])
    expect(await refusal(assign(payment, invoice))).toBe(
      'It is already assigned. Remove that payment first.',
    )
    await book(givenBack(payment, 3000n, id()))
    expect(await books.find(another)).toMatchObject({ status: 'partially_paid', paidMinor: 7000n })
    expect(await on('1150')).toBe(6710n)
  })

  it('is booked again by hand, and is the one that is given back', async () => {
    const payment = id()
    const [movement] = await book(paid(payment, named))
    await remove(movement?.bookedPaymentId)
    const own = await byHand(payment, another)
    expect(own.removedAt).toBeNull()
    expect((await byHand(payment, another)).id).toBe(own.id)
    await book(givenBack(payment, 10000n, id()))
    expect([await on('1150'), await statusOf(another)]).toEqual([-290n, 'posted'])
  })

  it('leaves nothing behind when the provider takes it back', async () => {
    const payment = id()
    const share = { heldMinor: 9000n, shareMinor: 710n }
    const [collected] = await book(paid(payment, { ...named, ...share }))
    await remove(collected?.bookedPaymentId)
    const [movement] = await book({ ...takenBack(payment), heldMinor: -9000n })
    expect([movement?.status, await on('1150'), await on('5200')]).toEqual(['known', 0n, 0n])
  })

  it('stays out where the provider has taken it back', async () => {
    const payment = id()
    await book(paid(payment, named), takenBack(payment))
    const words = 'The provider reversed this payment.'
    expect(await refusal(assign(payment, another))).toBe(words)
    expect(await refusal(byHand(payment, another))).toBe(words)
    expect(await on('1150')).toBe(0n)
  })
})

it('an assigned payment that was removed can be assigned again, but not posted by hand', async () => {
  const payment = id()
  await book(paid(payment))
  await remove((await assign(payment, invoice)).id)
  expect(await on('2310')).toBe(-10000n)
  expect(await refusal(byHand(payment, another))).toContain('It was posted automatically')
  await assign(payment, another)
  expect([await on('1150'), await on('2310'), await statusOf(another)]).toEqual([9710n, 0n, 'paid'])
})

describe('a refund that was removed', () => {
  it('books itself when it is told', async () => {
    const [payment, refund] = [id(), id()]
    await book(paid(payment, named))
    await remove((await refundByHand(refund, payment)).id)
    const [movement] = await book(givenBack(payment, 3000n, refund))
    expect(movement?.status).toBe('booked')
    expect([await on('1150'), await on('1100')]).toEqual([6710n, 13000n])
  })

  it('can be booked again by hand', async () => {
    const [payment, refund] = [id(), id()]
    const [, movement] = await book(paid(payment, named), givenBack(payment, 3000n, refund))
    await remove(movement?.bookedPaymentId)
    expect(await on('1150')).toBe(9710n)
    const again = await refundByHand(refund, payment)
    expect([again.removedAt, await on('1150')]).toEqual([null, 6710n])
  })

  it('and did not arrive is booked no more', async () => {
    const [payment, refund] = [id(), id()]
    const [, given] = await book(paid(payment, named), givenBack(payment, 3000n, refund))
    await remove(given?.bookedPaymentId)
    const [movement] = await book(notGivenBack(payment, 3000n, refund))
    expect([movement?.status, await on('1150')]).toEqual(['known', 9710n])
    expect(await refusal(refundByHand(refund, payment))).toBe('The refund failed or was reversed.')
  })
})
