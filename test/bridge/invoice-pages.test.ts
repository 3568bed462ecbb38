// The page of an issued invoice, on which its customer reads and pays it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findDocument } from '../../src/books/documents/document-store.ts'
import { getDocumentStory } from '../../src/books/documents/get-document-story.ts'
import { issueDocument } from '../../src/books/documents/issue-document.ts'
import { voidDocument } from '../../src/books/documents/void-document.ts'
import { reserveInvoice } from '../../src/books/invoice-pages/reserve-invoice.ts'
import { recordPayment } from '../../src/books/payments/record-payment.ts'
import { setServiceMoney } from '../../src/books/service-money/set-service-money.ts'
import { bookServiceMoneySchedule } from '../../src/bridge/book-service-money.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import { cancelPayment } from '../../src/merchant/payments/cancel-payment.ts'
import { manualClock } from '../support/clock.ts'
import { type Books, newBooks } from '../support/documents.ts'
import { brokenInvariants, expectInvariants } from '../support/invariants.ts'
import {
  comeBack,
  paidPayment,
  payment,
  pressPay,
  type Shop,
  shop,
  storedPayment,
} from '../support/payments.ts'
import { refusal } from '../support/refusal.ts'
import { amountOn } from '../support/service-money.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ clock: manualClock() })

let books: Books
let seller: Shop

beforeEach(async () => {
  books = await newBooks(world(), { baseCurrency: 'NGN' })
  seller = await shop(world(), { businessId: books.businessId })
})
afterEach(() => expectInvariants(world().database))

const book = () => bookServiceMoneySchedule.run(world().context, new AbortController().signal)
const on = (code: string) => amountOn(world(), seller.tenant, code, 'NGN')
const view = (path: string) => world().call('GET', path)

async function draft(more: object = {}): Promise<string> {
  const line = { description: 'Garden work', unitPrice: '1000', accountId: books.account('4000') }
  const date = '2026-02-20'
  return (await books.draft('invoice', { date, lines: [line], ...more })).id
}

// An issued invoice of 1,000.00 NGN, and its page.
async function invoice(more: object = {}) {
  const { context, database } = world()
  const id = await draft(more)
  await runOperation(issueDocument, context, books.owner, { id })
  const key = await books.key()
  const { body } = await world().call('GET', `/books/api/v1/invoices/${id}`, { key })
  const find = async () => {
    const found = await findDocument(database.sql, seller.tenant, id)
    return { status: found?.status, paidMinor: found?.paidMinor }
  }
  return { id, find, number: body.number, path: new URL(body.hosted_url).pathname }
}

const pay = (id: string, amount: string) =>
  findDocument(world().database.sql, seller.tenant, id).then((document) =>
    runOperation(recordPayment, world().context, books.owner, {
      ...{ direction: 'in', date: '2026-02-25', currency: 'NGN', amount },
      contactId: document?.contactId ?? '',
      accountId: books.account('1000'),
      allocations: [{ itemId: id, amount }],
    }),
  )

async function notices(): Promise<string[][]> {
  const rows = await world().database.sql<{ lines: string[] }[]>`
    select lines
    from kernel.notices
    where business_id = ${books.businessId}
      and kind = 'paid_online'
    order by created_at, id`
  return rows.map(({ lines }) => lines)
}

it('shows the invoice, takes its payment and books it with its fee', async () => {
  const { id, find, path, number } = await invoice()
  const open = await view(path)
  expect(open.status).toBe(200)
  for (const part of [number, 'Garden work', '₦1,000.00', 'Download as PDF']) {
    expect(open.text).toContain(part)
  }
  const begun = await paidPayment(world(), seller, path)
  expect(await storedPayment(world(), begun)).toMatchObject({ invoiceId: id })
  // Paid at once, before the books have posted it.
  expect((await find()).status).toBe('posted')
  expect((await view(path)).text).toContain('This invoice is paid')
  expect((await pressPay(world(), path)).text).toContain('There is nothing left to pay.')
  await book()
  expect(await find()).toEqual({ status: 'paid', paidMinor: 100_000n })
  expect([await on('1150'), await on('6060'), await on('1100')]).toEqual([98_500n, 1_500n, 0n])
  expect((await view(path)).text).toContain('This invoice is paid')
  expect(await notices()).toEqual([
    [`A customer paid NGN 1,000.00 on the page of invoice ${number}.`],
  ])
  expect((await comeBack(world(), begun.reference)).text).toContain('See the invoice')
  const shown = await world().call('GET', `/merchant/api/v1/payments/${begun.id}`, {
    key: seller.key,
  })
  expect(shown.body).toMatchObject({ invoice_id: id, payment_link_id: null, qr_code_id: null })
})

it('has its file, and an address that only the interface tells', async () => {
  const { id, path } = await invoice()
  const file = await view(`${path}/pdf`)
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  const reference = path.replace('/i/', '')
  expect(reference).not.toContain(id.replaceAll('-', ''))
  for (const wrong of ['/i/nothing', `${path.slice(0, -4)}0000`, `${path.slice(0, -4)}0000/pdf`]) {
    expect((await view(wrong)).status).toBe(404)
  }
  const key = await books.key()
  const other = await world().call('GET', `/books/api/v1/invoices/${await draft()}`, { key })
  expect(other.body).not.toHaveProperty('hosted_url')
})

it('asks for what is due by now', async () => {
  const { id, path, number } = await invoice()
  await pay(id, '400.00')
  expect((await view(path)).text).toContain('Pay ₦600.00')
  const changed = await pressPay(world(), path, { due: '100000' })
  expect([changed.status, changed.text.includes('The amount due has changed')]).toEqual([409, true])
  const begun = await payment(world(), seller, path)
  expect((await storedPayment(world(), begun)).amountMinor).toBe(60_000n)
  await pay(id, '600.00')
  await world().simulator.pay(begun.tenant, begun.reference)
  await comeBack(world(), begun.reference)
  await book()
  // Nothing was due any more, so it is the customer's credit.
  expect(await on('1100')).toBe(-60_000n)
  expect(await notices()).toEqual([
    [
      `A customer paid NGN 600.00 on the page of invoice ${number}.`,
      "NGN 600.00 was no longer due. It is the customer's credit.",
    ],
  ])
})

it('is not charged for more than is due when the payment is recorded', async () => {
  const { id } = await invoice()
  await pay(id, '400.00')
  const { context, database } = world()
  const reserve = (amountMinor: bigint) =>
    database.transaction((tx) =>
      reserveInvoice(tx, context, seller.tenant, {
        ...{ documentId: id, paymentId: context.ids.uuid(), currency: 'NGN', amountMinor },
      }),
    )
  // As if it was opened before the 400.00 were recorded.
  expect(await reserve(100_000n)).toBe(false)
  const charges = await database.sql`
    select payment_id
    from books.invoice_charges
    where business_id = ${books.businessId}`
  expect(charges).toHaveLength(0)
})

it('takes a part only where the business allows it, and never more than is due', async () => {
  const { find, path } = await invoice()
  await runOperation(setServiceMoney, world().context, books.owner, { takesPartPayments: true })
  const tooMuch = await pressPay(world(), path, { amount: '1000.01' })
  expect([tooMuch.status, tooMuch.text.includes('Enter at most ₦')]).toEqual([422, true])
  const part = await pressPay(world(), path, { amount: '250' })
  expect(part.status).toBe(303)
  const [row] = await world().database.sql<{ reference: string }[]>`
    select provider_reference as reference
    from merchant.payments
    where business_id = ${books.businessId}`
  await world().simulator.pay(seller.tenant, row?.reference ?? '')
  await comeBack(world(), row?.reference ?? '')
  await book()
  expect(await find()).toEqual({ status: 'partially_paid', paidMinor: 25_000n })
  expect((await view(path)).text).toContain('Partly paid')
})

it('books a second charge beside another as the credit of the customer', async () => {
  const { find, path } = await invoice()
  const [first, second] = [
    await payment(world(), seller, path),
    await payment(world(), seller, path),
  ]
  for (const { tenant, reference } of [first, second]) {
    await world().simulator.pay(tenant, reference)
    await comeBack(world(), reference)
  }
  await book()
  expect(await find()).toEqual({ status: 'paid', paidMinor: 100_000n })
  expect(await on('1100')).toBe(-100_000n)
  expect(await on('1150')).toBe(197_000n)
})

describe('an invoice with a charge under way', () => {
  const voiding = (id: string) =>
    runOperation(voidDocument, world().context, books.owner, { id, date: '2026-03-01' })

  it('cannot be voided until the charge has ended', async () => {
    const { id, find, path } = await invoice()
    const begun = await payment(world(), seller, path)
    expect(await refusal(voiding(id))).toContain('A customer is paying it right now')
    const owner = { ...books.owner, ...seller.tenant }
    await runOperation(cancelPayment, world().context, owner, { id: begun.id })
    expect(await refusal(voiding(id))).toContain('A customer is paying it right now')
    await book()
    await voiding(id)
    expect((await find()).status).toBe('void')
    const page = await view(path)
    expect([page.status, page.text.includes('This invoice is void')]).toEqual([200, true])
    expect((await pressPay(world(), path)).text).toContain('This invoice is void')
  })

  it('does not begin one after it was voided, however they race', async () => {
    const { id, path } = await invoice()
    const [pressed, voided] = await Promise.allSettled([pressPay(world(), path), voiding(id)])
    if (pressed.status === 'rejected') throw pressed.reason
    const isBegun = pressed.value.status === 303
    expect(voided.status).toBe(isBegun ? 'rejected' : 'fulfilled')
  })
})

it('is only read where payments are not taken', async () => {
  const { path } = await invoice()
  await runOperation(setServiceMoney, world().context, books.owner, { takesInvoicePayments: false })
  const closed = await view(path)
  expect([closed.status, closed.text.includes('can’t be paid online')]).toEqual([200, true])
  expect((await pressPay(world(), path)).text).toContain('can’t be paid online')
  await runOperation(setServiceMoney, world().context, books.owner, {
    takesInvoicePayments: true,
    isOn: false,
  })
  expect((await view(path)).text).toContain('can’t be paid online')
})

it('keeps posting on while a customer pays, so that the invoice does not stay open', async () => {
  const { path, number, find } = await invoice()
  const off = () => runOperation(setServiceMoney, world().context, books.owner, { isOn: false })
  await paidPayment(world(), seller, path)
  expect(await refusal(off())).toContain(`A customer is paying invoice ${number} right now`)
  await book()
  expect((await find()).status).toBe('paid')
  expect((await off()).isOn).toBe(false)
})

it('begins no charge after posting was switched off, however they race', async () => {
  const { path } = await invoice()
  const off = runOperation(setServiceMoney, world().context, books.owner, { isOn: false })
  const [pressed, switched] = await Promise.allSettled([pressPay(world(), path), off])
  if (pressed.status === 'rejected') throw pressed.reason
  const isBegun = pressed.value.status === 303
  expect(switched.status).toBe(isBegun ? 'rejected' : 'fulfilled')
})

it('does not ask to pay once where nothing is due any more', async () => {
  const { id, path } = await invoice()
  await pressPay(world(), path)
  await world().database.sql`
    update merchant.payments
    set status = 'processing'
    where business_id = ${books.businessId}
      and invoice_id = ${id}`
  expect((await view(path)).text).toContain('Don’t pay it twice')
  await pay(id, '1000')
  const { text } = await view(path)
  expect(text).toContain('Another payment of ₦1,000.00 is being confirmed')
  expect(text).not.toContain('Don’t pay it twice')
})

it('tells when the customer first opened it, and not when a person of the business did', async () => {
  const { id, path } = await invoice()
  const story = () =>
    runOperation(getDocumentStory, world().context, books.owner, { id, side: 'sales' })
  await world().call('GET', path, { headers: { cookie: 'tillbook.session_token=x' } })
  expect((await story()).viewedAt).toBeNull()
  await view(path)
  expect((await story()).viewedAt).toEqual(world().context.clock.now())
})

it('finds a charge that is lost between the services', async () => {
  const { path } = await invoice()
  const begun = await paidPayment(world(), seller, path)
  const { sql } = world().database
  const ended = (at: Date | null) => sql`
    update books.invoice_charges
    set ended_at = ${at}
    where payment_id = ${begun.id}`
  await ended(world().context.clock.now())
  expect(await brokenInvariants(world().database)).toEqual(['I14.44'])
  await ended(null)
  const amount = (minor: bigint) => sql`
    update books.invoice_charges
    set amount_minor = ${minor}
    where payment_id = ${begun.id}`
  await amount(1n)
  expect(await brokenInvariants(world().database)).toEqual(['I14.43'])
  await amount(100_000n)
})
