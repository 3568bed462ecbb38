// Which payment of the merchant service settled which invoice, and which are still to assign.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { removePayment } from '../../../src/books/payments/remove-payment.ts'
import { assignServicePayment } from '../../../src/books/service-money/assign-service-payment.ts'
import { getClearing } from '../../../src/books/service-money/get-clearing.ts'
import { getServiceTasks } from '../../../src/books/service-money/get-service-tasks.ts'
import { listInvoicesToAssign } from '../../../src/books/service-money/list-invoices-to-assign.ts'
import { listServicePayments } from '../../../src/books/service-money/list-service-payments.ts'
import type { ServicePaymentState } from '../../../src/books/service-money/service-payment.ts'
import { setServiceMoney } from '../../../src/books/service-money/set-service-money.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { refusal } from '../../support/refusal.ts'
import {
  booked,
  givenBack,
  notGivenBack,
  paid,
  restored,
  takenBack,
  type WantedMovement,
} from '../../support/service-money.ts'
import { type SettlingBooks, settlingBooks } from '../../support/settling.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let books: SettlingBooks
let invoice: string

beforeEach(async () => {
  books = await settlingBooks(world())
  invoice = await books.document({ contactId: await books.contact('Ada'), totalMinor: 10000n })
})
afterEach(() => books.check())

const book = (...wanted: readonly WantedMovement[]) => booked(world(), books.tenant, ...wanted)
const id = () => world().context.ids.uuid()
const at = (day: string) => ({ happenedAt: new Date(`${day}T10:00:00Z`) })
const named = { offerText: 'invoice-1' }
const rate = { currency: 'USD' }

async function list(state?: ServicePaymentState) {
  const page = await runOperation(listServicePayments, world().context, books.owner, { state })
  return page.payments
}

const idsOf = async (state?: ServicePaymentState) =>
  (await list(state)).map(({ paymentId }) => paymentId)

const tasks = () => runOperation(getServiceTasks, world().context, books.owner, {})

it('lists a payment with the invoice that it settled, and the rest of it', async () => {
  const payment = id()
  await book(paid(payment, { ...named, heldMinor: 11_710n }))
  expect(await list('assigned')).toMatchObject([
    {
      ...{ paymentId: payment, state: 'assigned', grossMinor: 12_000n, feeMinor: 290n },
      ...{ contactName: 'Ada', suggestion: undefined },
      invoices: [{ id: invoice, amountMinor: 10_000n }],
    },
  ])
  expect(await idsOf('unassigned')).toEqual([])
  expect(await tasks()).toMatchObject({ unassignedCount: 0 })
})

it('suggests the only open invoice over the amount', async () => {
  const payment = id()
  await book(paid(payment))
  const [found] = await list('unassigned')
  expect(found).toMatchObject({ paymentId: payment, suggestion: { id: invoice }, invoices: [] })
  expect(await tasks()).toMatchObject({ unassignedCount: 1 })
  await books.document({ contactId: await books.contact('Eve'), totalMinor: 10000n })
  expect((await list('unassigned'))[0]?.suggestion).toBeUndefined()
})

it('suggests nothing where two payments may be for the same invoice, also on another page', async () => {
  const [older, newer] = [id(), id()]
  await book(paid(older, at('2026-01-20')), paid(newer, at('2026-01-21')))
  const first = await runOperation(listServicePayments, world().context, books.owner, { limit: 1 })
  expect(first.payments).toMatchObject([{ paymentId: newer, suggestion: undefined }])
  // One of them is another amount after all.
  await book(givenBack(older, 10_000n, id()))
  expect((await list('unassigned'))[0]).toMatchObject({
    paymentId: newer,
    suggestion: { id: invoice },
  })
})

it('moves an assigned payment from one list to the other', async () => {
  const payment = id()
  await book(paid(payment))
  const wanted = { paymentId: payment, documentId: invoice }
  await runOperation(assignServicePayment, world().context, books.owner, wanted)
  expect(await idsOf('unassigned')).toEqual([])
  expect((await list('assigned'))[0]?.invoices).toMatchObject([{ id: invoice }])
})

it('does not assign a second payment to an invoice that the first has paid', async () => {
  const [first, second] = [id(), id()]
  await book(paid(first), paid(second))
  const assign = (paymentId: string) =>
    runOperation(assignServicePayment, world().context, books.owner, {
      paymentId,
      documentId: invoice,
    })
  await assign(first)
  expect(await refusal(assign(second))).toContain('has nothing open in EUR')
  expect(await idsOf('unassigned')).toEqual([second])
})

it('has a payment to assign again that was removed from the books', async () => {
  const payment = id()
  await book(paid(payment, named))
  const [found] = await list()
  const paymentId = found?.bookedPaymentId ?? ''
  const wanted = { paymentId, date: '2026-02-01' }
  await runOperation(removePayment, world().context, books.owner, wanted)
  expect(await idsOf('unassigned')).toEqual([payment])
  expect(await idsOf('assigned')).toEqual([])
})

it('has nothing to assign of a payment that was refunded or reversed', async () => {
  const [refunded, reversed] = [id(), id()]
  await book(paid(refunded), paid(reversed))
  const refund = id()
  await book(givenBack(refunded, 10_000n, refund), takenBack(reversed))
  expect(await idsOf('unassigned')).toEqual([])
  expect((await list()).map(({ state }) => state)).toEqual(['returned', 'returned'])
  await book(notGivenBack(refunded, 10_000n, refund), restored(reversed))
  expect((await idsOf('unassigned')).toSorted()).toEqual([refunded, reversed].toSorted())
})

it('says why a payment waits', async () => {
  const payment = id()
  await book(paid(payment, rate), paid(id()))
  expect(await list('waiting')).toMatchObject([
    { paymentId: payment, state: 'waiting', reason: expect.stringContaining('No rate') },
  ])
  expect(await tasks()).toMatchObject({ waitingCount: 1, unassignedCount: 1 })
})

it('leaves nothing to assign to a business that sells without invoices', async () => {
  await book(paid(id()))
  const unassignedAccountId = books.accountId('4000')
  await runOperation(setServiceMoney, world().context, books.owner, { unassignedAccountId })
  expect(await tasks()).toMatchObject({ unassignedCount: 0, sellsWithoutInvoices: true })
})

it('is read in pages, newest first', async () => {
  const payments = [id(), id(), id()]
  const days = ['2026-01-20', '2026-01-21', '2026-01-22']
  await book(...payments.map((payment, index) => paid(payment, at(days[index] ?? ''))))
  const read = (after?: string) =>
    runOperation(listServicePayments, world().context, books.owner, { limit: 2, after })
  const first = await read()
  expect(first.payments.map(({ paymentId }) => paymentId)).toEqual([payments[2], payments[1]])
  const second = await read(first.nextAfter ?? undefined)
  expect(second.payments.map(({ paymentId }) => paymentId)).toEqual([payments[0]])
  expect(second.nextAfter).toBeNull()
})

it('offers open invoices in the currency, the one over the amount first', async () => {
  const payment = id()
  await book(paid(payment))
  const newer = { totalMinor: 5000n, date: '2026-01-31' }
  const other = await books.document({ contactId: await books.contact('Eve 100%'), ...newer })
  await books.document({ contactId: await books.contact('Bob'), ...newer, currency: 'USD' })
  const offered = async (search?: string) => {
    const wanted = { paymentId: payment, search }
    const found = await runOperation(listInvoicesToAssign, world().context, books.owner, wanted)
    return found.invoices.map((one) => one.id)
  }
  expect(await offered()).toEqual([invoice, other])
  expect(await offered('eve')).toEqual([other])
  expect(await offered('0%')).toEqual([other])
  expect(await offered('_')).toEqual([])
  const unknown = { paymentId: id() }
  expect(
    await refusal(runOperation(listInvoicesToAssign, world().context, books.owner, unknown)),
  ).toBe('No such payment.')
})

it('shows the clearing account in each currency', async () => {
  await book(paid(id(), named), paid(id(), rate))
  expect(await runOperation(getClearing, world().context, books.owner, {})).toMatchObject({
    accountCode: '1150',
    booked: [{ currency: 'EUR', amountMinor: 9710n }],
    waiting: [{ currency: 'USD', heldMinor: 9710n, count: 1 }],
  })
})

it('keeps to its own business', async () => {
  const payment = id()
  await book(paid(payment))
  const stranger = (await settlingBooks(world())).owner
  const page = await runOperation(listServicePayments, world().context, stranger, {
    paymentId: payment,
  })
  expect(page.payments).toEqual([])
})
