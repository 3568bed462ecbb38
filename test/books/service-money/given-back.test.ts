// Refunds of payments that people have changed meanwhile.

import { afterEach, beforeEach, expect, it } from 'vitest'
import { updateAccount } from '../../../src/books/accounts/update-account.ts'
import { allocateCredit } from '../../../src/books/payments/allocate-credit.ts'
import { removeAllocation } from '../../../src/books/payments/remove-allocation.ts'
import { setServiceMoney } from '../../../src/books/service-money/set-service-money.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import {
  amountOn,
  booked,
  givenBack,
  notGivenBack,
  paid,
  type WantedMovement,
} from '../../support/service-money.ts'
import { type SettlingBooks, settlingBooks } from '../../support/settling.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let books: SettlingBooks
let contactId: string

beforeEach(async () => {
  books = await settlingBooks(world())
  contactId = await books.contact()
})
afterEach(() => books.check())

const book = (...wanted: readonly WantedMovement[]) => booked(world(), books.tenant, ...wanted)
const on = (code: string) => amountOn(world(), books.tenant, code, 'EUR')
const id = () => world().context.ids.uuid()
const takeOff = async (itemId: string, date: string) => {
  const last = (await books.allocations(itemId)).at(-1) ?? ''
  await runOperation(removeAllocation, world().context, books.owner, { allocationId: last, date })
}
const paidOf = async (documentId: string) => (await books.find(documentId)).paidMinor

it('pays again what the refund had opened, and not what a person had taken off', async () => {
  const first = await books.document({ contactId, totalMinor: 10000n })
  const second = await books.document({ contactId, totalMinor: 10000n })
  const [payment, refund] = [id(), id()]
  const [collected] = await book(paid(payment, { offerText: 'invoice-1' }))
  await takeOff(first, '2026-01-21')
  await runOperation(allocateCredit, world().context, books.owner, {
    ...{ creditId: collected?.bookedPaymentId ?? '', documentId: second, date: '2026-01-21' },
    amount: '60',
  })
  // 40.00 are free; 10.00 of the second invoice are open again.
  await book(givenBack(payment, 5000n, refund))
  expect([await paidOf(first), await paidOf(second)]).toEqual([0n, 5000n])
  await book(notGivenBack(payment, 5000n, refund))
  expect([await paidOf(first), await paidOf(second)]).toEqual([0n, 6000n])
  expect(await books.open(collected?.bookedPaymentId ?? '')).toEqual([-4000n, -4000n])
})

it('pays again no more than the refund had opened', async () => {
  const invoice = await books.document({ contactId, totalMinor: 10000n })
  const [payment, refund] = [id(), id()]
  await book(paid(payment, { offerText: 'invoice-1' }), givenBack(payment, 3000n, refund))
  await takeOff(invoice, '2026-02-02')
  expect(await paidOf(invoice)).toBe(0n)
  await book(notGivenBack(payment, 3000n, refund))
  expect(await paidOf(invoice)).toBe(3000n)
})

it('comes out of the account that the payment stands on, also when another is set', async () => {
  const { context } = world()
  const [payment, refund] = [id(), id()]
  await book(paid(payment))
  const unassignedAccountId = books.accountId('4000')
  await runOperation(setServiceMoney, context, books.owner, { unassignedAccountId })
  await runOperation(updateAccount, context, books.owner, {
    id: books.accountId('2310'),
    active: false,
  })
  await book(givenBack(payment, 3000n, refund))
  expect([await on('2310'), await on('4000'), await on('1150')]).toEqual([-7000n, 0n, 6710n])
})
