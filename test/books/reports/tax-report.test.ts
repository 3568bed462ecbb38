// The tax report and the cash-flow statement of a quarter with everything that has tax: sales and
// purchases, foreign money, credits, voids, write-offs, and journals.
import { beforeAll, expect, it } from 'vitest'
import type { z } from 'zod'
import { approveDocument } from '../../../src/books/documents/approve-document.ts'
import type { DocumentKind } from '../../../src/books/documents/document-status.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { voidDocument } from '../../../src/books/documents/void-document.ts'
import { postManualJournal } from '../../../src/books/journal/post-manual-journal.ts'
import { recordPayment } from '../../../src/books/payments/record-payment.ts'
import { removePayment } from '../../../src/books/payments/remove-payment.ts'
import { writeOffInvoice } from '../../../src/books/payments/write-off-invoice.ts'
import { reportCashFlow } from '../../../src/books/reports/get-cash-flow.ts'
import { reportTax } from '../../../src/books/reports/get-tax-report.ts'
import { listTaxEntries } from '../../../src/books/reports/list-tax-entries.ts'
import { add, type Decimal, toText, zeroDecimal } from '../../../src/kernel/money/decimal.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { refusal } from '../../support/refusal.ts'
import { useWorld } from '../../support/world.ts'
import { expectCashFlow, expectTaxReport } from '../model/report-ties.ts'

const world = useWorld()
const quarter = { from: '2026-01-01', to: '2026-03-31' }
let books: Books
let vat: string
let mixed: string

beforeAll(async () => {
  books = await newBooks(world())
  await books.rate('USD', '2026-01-01', '0.8765')
  vat = (await books.taxCode('20', { name: 'VAT 20 %' })).id
  const components = [
    { name: 'Federal', rate: '5' },
    { name: 'Provincial', rate: '9.975', isCompound: true },
  ]
  mixed = (await books.taxCode('0', { name: 'Mixed', components })).id
  await fillQuarter()
})

async function posted(kind: DocumentKind, date: string, price: string, code: string, form = {}) {
  const { context } = world()
  const accountId = books.account(kind === 'invoice' || kind === 'credit_note' ? '4000' : '6300')
  const lines = [{ description: 'Work', unitPrice: price, accountId, taxCodeId: code }]
  const { id } = await books.draft(kind, { date, lines, ...form })
  const isSale = kind === 'invoice' || kind === 'credit_note'
  const post = isSale ? issueDocument : approveDocument
  await runOperation(post, context, books.owner, { id })
  return id
}

async function fillQuarter() {
  const { context } = world()
  const journal = (date: string, lines: z.input<typeof postManualJournal.input>['lines']) =>
    runOperation(postManualJournal, context, books.owner, { date, description: 'By hand', lines })
  const giveUp = (documentId: string) =>
    runOperation(writeOffInvoice, context, books.owner, {
      documentId,
      date: '2026-03-10',
      claimsTaxRelief: true,
    })
  await posted('invoice', '2025-12-31', '500', vat)
  const { id: contactId } = await books.contact()
  const first = await posted('invoice', '2026-01-10', '1000', vat, { contactId })
  await posted('invoice', '2026-01-11', '99.99', mixed)
  await posted('invoice', '2026-01-12', '33.33', mixed, { currency: 'USD' })
  await posted('credit_note', '2026-02-01', '100', vat)
  await posted('bill', '2026-02-02', '300', vat)
  await posted('supplier_credit', '2026-02-03', '50', vat)
  const wrong = await posted('invoice', '2026-02-04', '777', vat)
  await runOperation(voidDocument, context, books.owner, { id: wrong, date: '2026-02-05' })
  await giveUp(await posted('invoice', '2026-02-06', '200', vat))
  const removed = await giveUp(await posted('invoice', '2026-02-07', '10', vat))
  const removal = { paymentId: removed.id, date: '2026-03-11' }
  await runOperation(removePayment, context, books.owner, removal)
  await runOperation(recordPayment, context, books.owner, {
    ...{ direction: 'in', contactId, date: '2026-02-20', currency: 'EUR', amount: '1200' },
    accountId: books.account('1000'),
    allocations: [{ itemId: first, amount: '1200' }],
  })
  // A cash sale by hand, then tax that is paid to the office.
  await journal('2026-03-01', [
    { accountId: books.account('1000'), debit: '120' },
    { accountId: books.account('4000'), credit: '100', taxCodeId: vat },
    { accountId: books.account('2100'), credit: '20', taxCodeId: vat },
  ])
  await journal('2026-03-20', [
    { accountId: books.account('2100'), debit: '100' },
    { accountId: books.account('1000'), credit: '100' },
  ])
  // A computer on a loan, and what it lost in value.
  await journal('2026-03-21', [
    { accountId: books.account('1520'), debit: '900' },
    { accountId: books.account('2700'), credit: '900' },
  ])
  await journal('2026-03-31', [
    { accountId: books.account('6700'), debit: '25' },
    { accountId: books.account('1530'), credit: '25' },
  ])
}

const texts = ({ net, tax }: { net: Decimal; tax: Decimal }) => [toText(net, 2), toText(tax, 2)]

it('says what each tax came to, on sales and on purchases', async () => {
  const { data } = await runOperation(reportTax, world().context, books.owner, quarter)
  const rows = data.sections.map(({ key, codes }) => [
    key,
    codes.map((code) => [code.name, code.is_write_off, ...texts(code)]),
  ])
  expect(rows).toEqual([
    [
      'sales',
      [
        // 99.99 and USD 33.33 at 0.8765, which gets a rounding difference of 0.01.
        ['Mixed', false, '129.21', '19.99'],
        // 1000 − 100 + 200 + 10; the void invoice is gone.
        ['VAT 20 %', false, '1110.00', '222.00'],
        ['VAT 20 %', true, '0.00', '-40.00'],
      ],
    ],
    ['purchases', [['VAT 20 %', false, '250.00', '50.00']]],
    ['manual', [['VAT 20 %', false, '100.00', '20.00']]],
  ])
  expect(toText(data.totals.payable, 2)).toBe('171.99')
  const [mixedRow] = data.sections[0]?.codes ?? []
  expect(mixedRow?.components.map(({ name, tax }) => [name, toText(tax, 2)])).toEqual([
    ['Federal', '6.46'],
    ['Provincial', '13.53'],
  ])
})

it('explains the tax account to the last unit', async () => {
  const { data } = await runOperation(reportTax, world().context, books.owner, quarter)
  const [account] = data.accounts
  expect(account?.code).toBe('2100')
  expect(
    [account?.opening, account?.reported, account?.other, account?.closing].map(
      (figure) => figure && toText(figure, 2),
    ),
  ).toEqual(['100.00', '171.99', '-100.00', '171.99'])
  await expectTaxReport({ world: world(), books }, quarter)
})

it('lists the entries behind a figure, which add up to it', async () => {
  const { context } = world()
  const wanted = { ...quarter, taxCodeId: vat, section: 'sales' as const }
  const all = await runOperation(listTaxEntries, context, books.owner, wanted)
  const sum = all.data.entries.reduce((total, { tax }) => add(total, tax), zeroDecimal)
  expect(toText(sum, 2)).toBe('182.00')
  expect(all.data.entries.map(({ kind }) => kind)).toContain('invoice.voided')
  const paged = []
  let after: string | undefined
  do {
    const page = await runOperation(listTaxEntries, context, books.owner, {
      ...wanted,
      limit: 2,
      ...(after && { after }),
    })
    paged.push(...page.data.entries)
    after = page.data.next ?? undefined
  } while (after)
  expect(paged).toEqual(all.data.entries)
})

it('refuses a period that ends before it starts, and a tax that does not exist', async () => {
  const { context } = world()
  const reversed = { from: quarter.to, to: quarter.from }
  expect(await refusal(runOperation(reportTax, context, books.owner, reversed))).toContain(
    'Must not be after',
  )
  const unknown = { ...quarter, taxCodeId: context.ids.uuid() }
  expect(await refusal(runOperation(listTaxEntries, context, books.owner, unknown))).toMatch(
    /tax code/,
  )
})

it('leads from profit to cash', async () => {
  const { data } = await runOperation(reportCashFlow, world().context, books.owner, quarter)
  const totals = data.sections.map(({ key, total }) => [key, toText(total, 2)])
  // The computer was bought on credit: what was paid for it and what was borrowed are equal.
  expect(totals).toEqual([
    ['operating', '1220.00'],
    ['investing', '-900.00'],
    ['financing', '900.00'],
  ])
  expect(toText(data.totals.closing, 2)).toBe('1220.00')
  await expectCashFlow({ world: world(), books }, quarter)
})
