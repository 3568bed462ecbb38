// The lists of documents: what they find, what it comes to, and the same as CSV.
import { beforeAll, describe, expect, it } from 'vitest'
import { approveDocument } from '../../../src/books/documents/approve-document.ts'
import { discardDocument } from '../../../src/books/documents/discard-document.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { recordPayment } from '../../../src/books/payments/record-payment.ts'
import { createQuote } from '../../../src/books/quotes/create-quote.ts'
import { addDays } from '../../../src/kernel/basics/calendar.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type AppVisitor, appVisitor } from '../../support/app-visitor.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
// People sign in at the real time, so the days are counted from today.
const dayFromNow = (days: number) =>
  addDays(world().context.clock.now().toISOString().slice(0, 10), days)

let books: Books
let viewer: AppVisitor

beforeAll(async () => {
  books = await newBooks(world())
  viewer = await appVisitor(world(), books.businessId, 'viewer')
  const { context } = world()
  const acme = await books.contact({ name: 'Acme Ltd' })
  const birch = await books.contact({ name: 'Birch & Sons' })
  const line = (unitPrice: string) => [
    { description: 'Work', unitPrice, accountId: books.account('4000') },
  ]
  const invoice = (contactId: string, unitPrice: string, more: object = {}) =>
    books.draft('invoice', { contactId, lines: line(unitPrice), date: dayFromNow(-40), ...more })
  const issued = async (...args: Parameters<typeof invoice>) => {
    const { id } = await invoice(...args)
    return runOperation(issueDocument, context, books.owner, { id })
  }
  await invoice(acme.id, '10', { reference: 'PO-77' })
  await issued(acme.id, '1234.50', { dueDate: dayFromNow(-20) })
  await issued(birch.id, '200', { dueDate: dayFromNow(30), date: dayFromNow(-39) })
  const paid = await issued(birch.id, '300')
  await runOperation(recordPayment, context, books.owner, {
    direction: 'in',
    contactId: birch.id,
    date: dayFromNow(-15),
    currency: 'EUR',
    amount: '300',
    accountId: books.account('1000'),
    allocations: [{ itemId: paid.id, amount: '300' }],
  })
  const gone = await invoice(acme.id, '99')
  await runOperation(discardDocument, context, books.owner, { id: gone.id })
  const credit = await books.draft('credit_note', { contactId: acme.id, date: dayFromNow(-38) })
  await runOperation(issueDocument, context, books.owner, { id: credit.id })
  const bill = await books.draft('bill', { contactId: birch.id, reference: 'B-1' })
  await runOperation(approveDocument, context, books.owner, { id: bill.id })
  await books.draft('expense_claim', { contactId: birch.id })
  await runOperation(createQuote, context, books.owner, {
    contactId: acme.id,
    lines: line('750'),
    reference: 'RFQ 9',
  })
})

// The totals in the rows, in their order.
async function totals(path: string): Promise<string[]> {
  const page = await viewer.get(path)
  expect(page.status).toBe(200)
  return [...page.text.matchAll(/data-label="Total"[^>]*><span class="money">([^<]*)</g)].map(
    ([, total = '']) => total,
  )
}

describe('the list of invoices', () => {
  it('shows invoices and credit notes, newest first', async () => {
    expect(await totals('/invoices')).toEqual([
      '€100.00',
      '€200.00',
      '€99.00',
      '€300.00',
      '€1,234.50',
      '€10.00',
    ])
  })

  it.each([
    ['draft', ['€10.00']],
    ['to_send', ['€100.00', '€200.00', '€1,234.50']],
    ['open', ['€100.00', '€200.00', '€1,234.50']],
    ['overdue', ['€1,234.50']],
    ['paid', ['€300.00']],
    ['void', ['€99.00']],
    ['awaiting_approval', []],
  ])('has a view of what is %s', async (view, expected) => {
    expect(await totals(`/invoices?view=${view}`)).toEqual(expected)
  })

  it.each([
    ['a part of a number', '-00001', ['€100.00', '€1,234.50']],
    ['a part of a name', 'birch', ['€200.00', '€300.00']],
    ['a reference', 'po-77', ['€10.00']],
    ['an amount as people type it', '1,234.50', ['€1,234.50']],
    ['signs that SQL gives a meaning', '%', []],
  ])('finds %s', async (_what, text, expected) => {
    expect(await totals(`/invoices?q=${encodeURIComponent(text)}`)).toEqual(expected)
  })

  it('filters by kind and days', async () => {
    expect(await totals('/invoices?kind=credit_note')).toEqual(['€100.00'])
    expect(await totals(`/invoices?from=${dayFromNow(-39)}&to=${dayFromNow(-39)}`)).toEqual([
      '€200.00',
    ])
  })

  it('refuses a period that ends before it begins', async () => {
    const page = await viewer.get(`/invoices?from=${dayFromNow(-39)}&to=${dayFromNow(-40)}`)
    expect(page.status).toBe(400)
    expect(page.text).toContain('Must not be after the last day.')
  })

  it('sums all that is found; credits count as negative', async () => {
    const { text } = await viewer.get('/invoices?view=open')
    expect(text).toContain('3 documents')
    // 1234.50 + 200 - 100
    expect(text).toContain('€1,334.50')
  })
})

describe('the other lists', () => {
  it('show bills and claims, and what is due', async () => {
    const { text } = await viewer.get('/bills?view=open')
    expect(text).toContain('BILL-')
    expect(text).not.toContain('Expense claim</span>')
    expect(await totals('/bills')).toEqual(['€100.00', '€100.00'])
  })

  it('show quotes', async () => {
    expect(await totals('/quotes?q=rfq')).toEqual(['€750.00'])
    expect(await totals('/quotes?view=sent')).toEqual([])
  })
})

describe('as CSV', () => {
  it('has exactly what is filtered', async () => {
    const { text, headers } = await viewer.get('/invoices.csv?view=overdue')
    expect(headers.get('content-type')).toContain('text/csv')
    const [head, row, ...rest] = text.trim().split('\r\n')
    expect(head).toBe('Kind,Number,Status,Contact,Date,Due,Reference,Currency,Total,Open,Id')
    expect(row).toContain(
      `,posted,Acme Ltd,${dayFromNow(-40)},${dayFromNow(-20)},,EUR,1234.50,1234.50,`,
    )
    expect(rest).toEqual([])
  })
})

it('turns pages', async () => {
  const many = await newBooks(world())
  const visitor = await appVisitor(world(), many.businessId, 'viewer')
  const { id: contactId } = await many.contact()
  for (let index = 1; index <= 27; index += 1) {
    const lines = [{ description: 'Work', unitPrice: `${index}` }]
    await many.draft('invoice', { contactId, lines })
  }
  const first = await visitor.get('/invoices')
  const next = /href="\/b\/[^/"]*(\/invoices\?after=[^"]*)"/.exec(first.text)?.[1] ?? ''
  const second = await visitor.get(next)
  expect(first.text.match(/data-label="Total"/g)).toHaveLength(25)
  expect(second.text.match(/data-label="Total"/g)).toHaveLength(2)
  expect(second.text).toContain('27 documents')
})
