// Automatic bookkeeping: how the books post what the merchant service does.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAccount } from '../../../src/books/accounts/create-account.ts'
import { updateAccount } from '../../../src/books/accounts/update-account.ts'
import { setExchangeRate } from '../../../src/books/currencies/set-exchange-rate.ts'
import { assignServicePayment } from '../../../src/books/service-money/assign-service-payment.ts'
import { bookLinkPayment } from '../../../src/books/service-money/book-link-payment.ts'
import { linkInvoice } from '../../../src/books/service-money/link-invoice.ts'
import { listMovements } from '../../../src/books/service-money/movement-store.ts'
import { retryServiceMoney } from '../../../src/books/service-money/retry-service-money.ts'
import { setServiceMoney } from '../../../src/books/service-money/set-service-money.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { refusal } from '../../support/refusal.ts'
import {
  amountOn,
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
let contactId: string

beforeEach(async () => {
  books = await settlingBooks(world())
  contactId = await books.contact()
})
afterEach(() => books.check())

const book = (...wanted: readonly WantedMovement[]) => booked(world(), books.tenant, ...wanted)
const on = (code: string, currency = 'EUR') => amountOn(world(), books.tenant, code, currency)
const id = () => world().context.ids.uuid()

describe('a payment', () => {
  it('pays the invoice that its link names, less the fee', async () => {
    const invoice = await books.document({ contactId, totalMinor: 10000n })
    const [movement] = await book(paid(id(), { offerText: 'Rent (invoice-1), March.' }))
    expect(movement).toMatchObject({ status: 'booked', reason: null, tries: 1 })
    expect(await books.entries(movement?.bookedPaymentId ?? '')).toEqual([
      'payment.recorded 2026-01-20\n1150 9710 9710 EUR\n6060 290 290 EUR\n1100 -10000 -10000 EUR',
    ])
    expect((await books.find(invoice)).status).toBe('paid')
    expect(await books.events(invoice)).toEqual(['invoice.paid'])
  })

  it('pays the invoice that its link was said to be for, whatever it names', async () => {
    const invoice = await books.document({ contactId, totalMinor: 10000n })
    await books.document({ contactId, totalMinor: 10000n })
    const offerId = id()
    const said = { offerId, documentId: invoice }
    await runOperation(linkInvoice, world().context, books.owner, said)
    await book(paid(id(), { offerId, offerText: 'invoice-2' }))
    expect((await books.find(invoice)).status).toBe('paid')
  })

  it('becomes a payment to assign if nothing of the invoice is open: anyone can pay a link again', async () => {
    const { context } = world()
    const first = await books.document({ contactId, totalMinor: 10000n })
    const offerId = id()
    await runOperation(linkInvoice, context, books.owner, { offerId, documentId: first })
    const [, second, third] = await book(
      paid(id(), { offerId }),
      paid(id(), { offerId }),
      paid(id(), { offerText: 'invoice-1' }),
    )
    expect([second?.bookedPaymentId, third?.bookedPaymentId]).toEqual([null, null])
    expect([await on('1100'), await on('2310')]).toEqual([0n, -20000n])
  })

  it.each([
    ['nothing', null],
    ['no invoice', 'Order 1001'],
    ['two invoices', 'invoice-1 and invoice-2'],
    ['an invoice of which its number is only a part', 'xinvoice-1'],
  ])('that names %s becomes a payment to assign', async (_what, offerText) => {
    await books.document({ contactId, totalMinor: 10000n })
    await books.document({ contactId, totalMinor: 10000n })
    const payment = id()
    await book(paid(payment, { offerText }))
    expect(await books.entries(payment)).toEqual([
      'service_money.collected 2026-01-20\n' +
        '1150 9710 9710 EUR\n6060 290 290 EUR\n2310 -10000 -10000 EUR',
    ])
  })

  it('passes on the share of a split recipient', async () => {
    const payment = id()
    await book(paid(payment, { heldMinor: 9000n, shareMinor: 710n }))
    expect(await books.entries(payment)).toEqual([
      'service_money.collected 2026-01-20\n' +
        '1150 9710 9710 EUR\n6060 290 290 EUR\n2310 -10000 -10000 EUR',
      'share.passed_on 2026-01-20\n1150 -710 -710 EUR\n5200 710 710 EUR',
    ])
  })

  it('that a person has booked before is not booked again', async () => {
    const invoice = await books.document({ contactId, totalMinor: 10000n })
    const payment = id()
    await runOperation(bookLinkPayment, world().context, books.owner, {
      ...{ externalId: payment, documentId: invoice, date: '2026-01-20', currency: 'EUR' },
      ...{ amount: '100', fee: '2.90' },
    })
    const share = { heldMinor: 9705n, shareMinor: 5n }
    const [movement] = await book(paid(payment, { ...share, offerText: 'invoice-1' }))
    expect(movement).toMatchObject({ status: 'known', firstSequence: null })
    expect(await on('1150')).toBe(9710n)
  })

  it('in a locked period is booked on the first open day', async () => {
    await world().database.sql`
      update books.organisations
      set hard_locked_until = '2026-01-31'
      where business_id = ${books.tenant.businessId}`
    const payment = id()
    await book(paid(payment))
    expect((await books.entries(payment))[0]).toContain('collected 2026-02-01')
  })
})

describe('money that is given back', () => {
  it('opens the invoice again, and pays it again when it did not arrive', async () => {
    const invoice = await books.document({ contactId, totalMinor: 10000n })
    const [payment, refund] = [id(), id()]
    await book(paid(payment, { offerText: 'invoice-1' }), givenBack(payment, 3000n, refund))
    expect(await books.find(invoice)).toMatchObject({ status: 'partially_paid', paidMinor: 7000n })
    expect(await on('1150')).toBe(6710n)
    await book(notGivenBack(payment, 3000n, refund))
    expect(await books.find(invoice)).toMatchObject({ status: 'paid', paidMinor: 10000n })
    expect(await on('1150')).toBe(9710n)
  })

  it('is taken from the payments to assign if there is no invoice', async () => {
    const [payment, refund] = [id(), id()]
    await book(paid(payment), { ...givenBack(payment, 3000n, refund), kind: 'charged_back' })
    expect(await books.entries(refund)).toEqual([
      'service_money.given_back 2026-02-01\n1150 -3000 -3000 EUR\n2310 3000 3000 EUR',
    ])
    await book({ ...notGivenBack(payment, 3000n, refund), kind: 'chargeback_won' })
    expect([await on('1150'), await on('2310')]).toEqual([9710n, -10000n])
  })

  it('of a payment that the books never saw goes to payments to assign', async () => {
    const refund = id()
    await book(givenBack(id(), 3000n, refund))
    expect(await on('2310')).toBe(3000n)
  })

  it('beyond the rest of the payment goes to payments to assign', async () => {
    const invoice = await books.document({ contactId, totalMinor: 10000n })
    const payment = id()
    await book(
      paid(payment, { offerText: 'invoice-1' }),
      givenBack(payment, 10000n, id()),
      givenBack(payment, 10000n, id()),
    )
    expect((await books.find(invoice)).status).toBe('posted')
    expect([await on('1150'), await on('2310')]).toEqual([-10290n, 10000n])
  })
})

describe('a payment that the provider takes back', () => {
  it('never was, and pays the invoice again when it comes back', async () => {
    const invoice = await books.document({ contactId, totalMinor: 10000n })
    const payment = id()
    await book(paid(payment, { offerText: 'invoice-1' }), takenBack(payment))
    expect((await books.find(invoice)).status).toBe('posted')
    expect([await on('1150'), await on('6060')]).toEqual([0n, 0n])
    const [, refund] = await book(restored(payment, { offerText: 'invoice-1' }), {
      ...givenBack(payment, 4000n, id()),
      happenedAt: new Date('2026-02-05T10:00:00Z'),
    })
    expect(refund?.status).toBe('booked')
    expect(await books.find(invoice)).toMatchObject({ status: 'partially_paid', paidMinor: 6000n })
    expect(await on('1150')).toBe(5710n)
  })

  it('is reversed if it was a payment to assign, including the share', async () => {
    const payment = id()
    const share = { heldMinor: 9000n, shareMinor: 710n }
    await book(paid(payment, share), { ...takenBack(payment), heldMinor: -9000n })
    const codes = ['1150', '6060', '2310', '5200']
    expect(await Promise.all(codes.map((code) => on(code)))).toEqual([0n, 0n, 0n, 0n])
  })

  it('that the books never saw goes to payments to assign', async () => {
    await book(takenBack(id()))
    expect([await on('1150'), await on('2310')]).toEqual([-9710n, 9710n])
  })
})

describe('a payout', () => {
  const paidOut = (objectId: string) => ({ kind: 'paid_out', heldMinor: -5000n, objectId }) as const

  it('comes to the bank, goes back when it did not arrive, and comes again', async () => {
    const payout = id()
    await book(paid(id()), paidOut(payout))
    expect(await books.entries(payout)).toEqual([
      'payout.received 2026-01-20\n1000 5000 5000 EUR\n1150 -5000 -5000 EUR',
    ])
    await book({ kind: 'payout_reversed', heldMinor: 5000n, objectId: payout })
    expect([await on('1150'), await on('1000')]).toEqual([9710n, 0n])
    await book({ kind: 'payout_restored', heldMinor: -5000n, objectId: payout })
    expect([await on('1150'), await on('1000')]).toEqual([4710n, 5000n])
  })

  it('in a currency comes to the bank account that is kept in it', async () => {
    const { context } = world()
    const rate = { currency: 'USD', date: '2026-01-01', rate: '0.9' }
    await runOperation(setExchangeRate, context, books.owner, rate)
    await insertBank('USD')
    const payout = id()
    await book(paid(id(), { currency: 'USD' }), { ...paidOut(payout), currency: 'USD' })
    expect(await books.entries(payout)).toEqual([
      'payout.received 2026-01-20\n1020 4500 5000 USD\n1150 -4500 -5000 USD',
    ])
  })
})

async function insertBank(currency: string): Promise<void> {
  const wanted = { code: '1020', name: 'Dollars', type: 'asset', subtype: 'bank' } as const
  await runOperation(createAccount, world().context, books.owner, { ...wanted, currency })
}

describe('what cannot be booked', () => {
  it('waits with the reason, until a person has helped', async () => {
    const { context, database } = world()
    const [payment, refund] = [id(), id()]
    const [first, second, other] = await book(
      paid(payment, { currency: 'USD' }),
      { ...givenBack(payment, 3000n, refund), currency: 'USD' },
      paid(id()),
    )
    expect(first).toMatchObject({
      status: 'waiting',
      tries: 1,
      reason:
        'No rate from USD to EUR is known for 2026-01-20. Set one in Settings → Currencies and rates (command set-exchange-rate).',
    })
    expect(second?.status).toBe('waiting')
    expect(other?.status).toBe('booked')
    const rate = { currency: 'USD', date: '2026-01-01', rate: '0.9' }
    await runOperation(setExchangeRate, context, books.owner, rate)
    await book()
    expect(await listMovements(database.sql, books.tenant, 'waiting', 10)).toEqual([])
    expect(await on('1150', 'USD')).toBe(6710n)
  })

  it('waits where its account was retired, and so does what depends on it', async () => {
    const { context } = world()
    await runOperation(updateAccount, context, books.owner, {
      id: books.accountId('2310'),
      active: false,
    })
    const payment = id()
    const [movement, refund] = await book(paid(payment), givenBack(payment, 3000n, id()))
    const words = '2310 Payments to assign is not active. Choose another with set-service-money.'
    expect(movement).toMatchObject({ status: 'waiting', reason: words })
    expect(refund?.reason).toBe('Its payment is waiting too.')
  })

  it('waits behind what came before it, and comes in the order in which it happened', async () => {
    const { context } = world()
    const bank = books.accountId('1000')
    await runOperation(updateAccount, context, books.owner, { id: bank, active: false })
    const payout = { heldMinor: -5000n, objectId: id() }
    const movements = await book(
      { kind: 'paid_out', ...payout },
      { kind: 'payout_reversed', ...payout, heldMinor: 5000n },
      { kind: 'payout_restored', ...payout },
    )
    expect(movements.map(({ reason }) => reason)).toEqual([
      'The account is not active.',
      'An earlier movement is waiting too.',
      'An earlier movement is waiting too.',
    ])
    await runOperation(updateAccount, context, books.owner, { id: bank, active: true })
    await runOperation(retryServiceMoney, context, books.owner, {})
    await book()
    expect([await on('1150'), await on('1000'), await on('2310')]).toEqual([-5000n, 5000n, 0n])
  })

  it('is not tried while it is switched off', async () => {
    await runOperation(setServiceMoney, world().context, books.owner, { isOn: false })
    const [movement] = await book(paid(id()))
    expect(movement).toMatchObject({ status: 'waiting', tries: 0 })
  })
})

describe('a payment to assign', () => {
  const assign = (paymentId: string, documentId: string) =>
    runOperation(assignServicePayment, world().context, books.owner, { paymentId, documentId })

  it('is assigned once, and what does not fit is the contact’s credit', async () => {
    const invoice = await books.document({ contactId, totalMinor: 6000n })
    const payment = id()
    await book(paid(payment))
    const { id: own } = await assign(payment, invoice)
    expect((await books.find(invoice)).status).toBe('paid')
    expect(await books.open(own)).toEqual([-4000n, -4000n])
    expect(await on('2310')).toBe(0n)
    expect(await refusal(assign(payment, invoice))).toBe(
      'It is already assigned. Remove that payment first.',
    )
  })

  it('opens its invoice again when it is given back or taken back', async () => {
    const invoice = await books.document({ contactId, totalMinor: 10000n })
    const payment = id()
    await book(paid(payment))
    await assign(payment, invoice)
    await book(givenBack(payment, 3000n, id()))
    expect(await books.find(invoice)).toMatchObject({ status: 'partially_paid', paidMinor: 7000n })
    expect([await on('1150'), await on('2310')]).toEqual([6710n, 0n])
    const [movement] = await book(takenBack(payment))
    expect(movement?.status).toBe('booked')
    expect((await books.find(invoice)).status).toBe('posted')
    expect([await on('1150'), await on('2310')]).toEqual([-3000n, 0n])
  })

  it('in a foreign currency leaves nothing behind', async () => {
    const { context } = world()
    const rate = (date: string, text: string) =>
      runOperation(setExchangeRate, context, books.owner, { currency: 'USD', date, rate: text })
    await rate('2026-01-01', '0.9')
    const foreign = { currency: 'USD', fxRate: '0.9' }
    const invoice = await books.document({ contactId, totalMinor: 10001n, ...foreign })
    const payment = id()
    await book(paid(payment, { currency: 'USD' }))
    await rate('2026-01-20', '0.8')
    await assign(payment, invoice)
    expect(await on('2310')).toBe(0n)
    expect((await books.find(invoice)).paidMinor).toBe(10000n)
  })

  it('is refused where it is unknown, waits, or was given back in part', async () => {
    const invoice = await books.document({ contactId, totalMinor: 10000n })
    const [payment, waiting] = [id(), id()]
    expect(await refusal(assign(id(), invoice))).toBe('No such payment.')
    await book(paid(waiting, { currency: 'USD' }))
    expect(await refusal(assign(waiting, invoice))).toBe('It is not posted yet.')
    await book(paid(payment), givenBack(payment, 1n, id()))
    expect(await refusal(assign(payment, invoice))).toBe(
      'Part of it was refunded. Record the rest as a payment.',
    )
  })
})
