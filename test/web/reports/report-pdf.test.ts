// The PDF of a report has the rows and figures of its page, read by poppler.
import { beforeAll, expect, it } from 'vitest'
import { createAccount } from '../../../src/books/accounts/create-account.ts'
import { approveDocument } from '../../../src/books/documents/approve-document.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { postManualJournal } from '../../../src/books/journal/post-manual-journal.ts'
import { drawReport, reportRowsMax } from '../../../src/books/reports/draw-report.ts'
import { setBrand } from '../../../src/kernel/brand/set-brand.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type AppVisitor, appVisitor } from '../../support/app-visitor.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { infoOf, textIn } from '../../support/pdf.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let books: Books
let viewer: AppVisitor

beforeAll(async () => {
  books = await newBooks(world())
  await books.set({ legal_name: 'Brass & Sons Limited', tax_number: 'TIN 4711' })
  const { context } = world()
  const taxCodeId = (await books.taxCode('20', { name: 'VAT 20 %' })).id
  const lineOn = (code: string, unitPrice: string) => [
    { description: 'Work', unitPrice, accountId: books.account(code), taxCodeId },
  ]
  const sale = await books.draft('invoice', { date: '2026-01-20', lines: lineOn('4000', '1234.5') })
  await runOperation(issueDocument, context, books.owner, { id: sale.id })
  const bill = await books.draft('bill', { date: '2026-02-03', lines: lineOn('6300', '77.7') })
  await runOperation(approveDocument, context, books.owner, { id: bill.id })
  await runOperation(postManualJournal, context, books.owner, {
    date: '2026-02-10',
    description: 'Capital',
    lines: [
      { accountId: books.account('1000'), debit: '5000' },
      { accountId: books.account('3000'), credit: '5000' },
    ],
  })
  viewer = await appVisitor(world(), books.businessId, 'viewer')
})

async function pdfOf(path: string) {
  const { status, headers, bytes } = await viewer.get(path)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/pdf')
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z0-9-]+\.pdf"$/)
  return bytes
}

// The lines as they are seen, with single spaces.
function linesOf(pdf: Buffer): string[] {
  return textIn(pdf)
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
}

// The label and figures of each row of the page, as text.
function rowsOf(html: string): string[] {
  const rows = html.matchAll(/<tr class="statement-[a-z]+">(.*?)<\/tr>/gs)
  return [...rows].map(([, row = '']) =>
    [...row.matchAll(/>([^<]+)</g)]
      .map(([, text = '']) => text.replaceAll('&amp;', '&'))
      .join(' ')
      .trim(),
  )
}

const quarter = '?from=2026-01-01&to=2026-03-31'

it.each([
  ['profit-and-loss', `${quarter}&compare=previous_period`, 'Profit and loss'],
  ['profit-and-loss', `${quarter}&columns=months`, 'Profit and loss'],
  ['balance-sheet', '?as_of=2026-03-31&compare=previous_year', 'Balance sheet'],
  ['trial-balance', '?as_of=2026-03-31&compare=previous_year', 'Trial balance'],
  ['cash-flow', quarter, 'Cash flow'],
  ['tax', quarter, 'Tax report'],
  ['aged-receivables', '?as_of=2026-03-31', 'Aged receivables'],
  ['aged-payables', '?as_of=2026-03-31', 'Aged payables'],
])('has the rows of the page: %s%s', async (name, query, title) => {
  const page = await viewer.get(`/reports/${name}${query}`)
  const link = `/b/${books.businessId}/reports/${name}.pdf${query}`
  expect(page.text.replaceAll('&amp;', '&')).toContain(`href="${link}"`)
  const pdf = await pdfOf(`/reports/${name}.pdf${query}`)
  const rows = rowsOf(page.text)
  expect(rows.length).toBeGreaterThan(2)
  const lines = linesOf(pdf)
  expect(rows.filter((row) => !lines.includes(row))).toEqual([])
  const text = lines.join('\n')
  expect(text).toContain('Brass & Sons Limited')
  expect(text).toContain('TIN 4711')
  expect(text).toContain(title)
  expect(text).toContain('Accrual basis · Amounts in EUR · Printed on')
  expect(text).toContain('Page 1 of 1')
  expect(infoOf(pdf)).toMatch(/Tagged:\s+yes/)
})

it('names the day of recording', async () => {
  const pdf = await pdfOf('/reports/trial-balance.pdf?as_of=2026-03-31&recorded_on=2026-03-31')
  expect(linesOf(pdf).join(' ')).toContain('As recorded on 31 Mar 2026')
})

it('shows the colour of the brand', async () => {
  const path = '/reports/trial-balance.pdf?as_of=2026-03-31'
  const before = await pdfOf(path)
  await runOperation(setBrand, world().context, books.owner, {
    colour: '#aa2266',
    contactEmail: null,
    contactPhone: null,
    websiteUrl: null,
    termsUrl: null,
    privacyUrl: null,
  })
  expect((await pdfOf(path)).equals(before)).toBe(false)
})

it('draws many columns in readable parts', async () => {
  const pdf = await pdfOf(
    '/reports/profit-and-loss.pdf?from=2024-04-01&to=2026-03-31&columns=months',
  )
  expect(infoOf(pdf)).toMatch(/Page size:\s+841.89 x 595.28/)
  const lines = linesOf(pdf)
  expect(lines.filter((line) => line.startsWith('Net profit')).length).toBeGreaterThan(1)
  const total = lines.filter((line) => line.startsWith('Net profit')).at(-1)
  expect(total).toMatch(/ 1,156\.80$/)
})

it('has all lines of an account, with the balances', async () => {
  const own = `/reports/general-ledger/${books.account('1000')}`
  const page = await viewer.get(`${own}${quarter}`)
  expect(page.text.replaceAll('&amp;', '&')).toContain(`${own}/pdf${quarter}`)
  const lines = linesOf(await pdfOf(`${own}/pdf${quarter}`)).join('\n')
  expect(lines).toContain('Opening balance 0.00')
  expect(lines).toMatch(/^\d+ 10 Feb 2026 Capital 5,000.00 5,000.00$/m)
  expect(lines).toContain('Closing balance 5,000.00')
  const csv = await viewer.get(`${own}/csv${quarter}`)
  expect(csv.text).toMatch(
    /^Entry,Date,Description,Debit \(EUR\),Credit \(EUR\),Balance \(EUR\)\r\n\d+,2026-02-10,Capital,5000.00,0.00,5000.00\r\n$/,
  )
})

it('marks the figures of the sandbox', async () => {
  const { status, bytes } = await viewer.get('/test/reports/trial-balance.pdf?as_of=2026-03-31')
  expect(status).toBe(200)
  expect(textIn(bytes)).toContain('SANDBOX: THESE ARE NOT REAL FIGURES')
})

it('refuses a period that the page refuses', async () => {
  const { status } = await viewer.get('/reports/profit-and-loss.pdf?from=2026-03-01&to=2026-01-01')
  expect(status).toBe(400)
})

it('refuses a PDF that would take too long to draw', async () => {
  const row = { look: 'line', cells: ['Rent', '1.00'] } as const
  const drawing = drawReport(world().context, books, {
    title: 'Profit and loss',
    lead: 'A century',
    factsOn: () => [],
    tables: [{ heading: null, columns: [], rows: Array(reportRowsMax + 1).fill(row) }],
    note: null,
  })
  await expect(drawing).rejects.toThrow('at most 1500 rows')
})

it('names the file of an account with letters that a header takes', async () => {
  const { id } = await runOperation(createAccount, world().context, books.owner, {
    code: 'Счёт "9"',
    name: 'Other',
    type: 'expense',
    subtype: 'operating_expense',
  })
  const { status, headers } = await viewer.get(`/reports/general-ledger/${id}/pdf${quarter}`)
  expect(status).toBe(200)
  expect(headers.get('content-disposition')).toMatch(
    /filename="general-ledger-_9_-[\d-]+to[\d-]+\.pdf"/,
  )
})
