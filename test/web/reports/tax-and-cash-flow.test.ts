// The tax report and the cash-flow statement as pages: the figures of their operations, the entries
// behind them, and closing a period.
import { beforeAll, expect, it } from 'vitest'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { reportCashFlow } from '../../../src/books/reports/get-cash-flow.ts'
import { toText } from '../../../src/kernel/money/decimal.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { type AppVisitor, appVisitor } from '../../support/app-visitor.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const quarter = '?from=2026-01-01&to=2026-03-31'
let books: Books
let owner: AppVisitor

beforeAll(async () => {
  books = await newBooks(world())
  const components = [
    { name: 'Federal', rate: '5' },
    { name: 'Local', rate: '7' },
  ]
  const { id: taxCodeId } = await books.taxCode('0', { name: 'Both', components })
  const line = { description: 'Work', unitPrice: '100', accountId: books.account('4000') }
  const { id } = await books.draft('invoice', {
    date: '2026-02-03',
    lines: [{ ...line, taxCodeId }],
  })
  await runOperation(issueDocument, world().context, books.owner, { id })
  owner = await appVisitor(world(), books.businessId)
})

// The rows of statements, as label and figures.
function rowsOf(text: string): string[][] {
  const rows = text.matchAll(/<tr class="statement-[a-z]+">(.*?)<\/tr>/gs)
  return [...rows].map(([, row = '']) => [
    (/<th[^>]*>(.*?)<\/th>/s.exec(row)?.[1] ?? '').replace(/<[^>]*>/g, ''),
    ...[...row.matchAll(/<data[^>]* value="([^"]*)"/g)].map(([, value = '']) => value),
  ])
}

it('shows net and tax of each tax and component, and the tax accounts', async () => {
  const { text } = await owner.get(`/reports/tax${quarter}`)
  expect(rowsOf(text)).toEqual([
    ['Tax on sales'],
    ['Both', '100.00', '12.00'],
    ['Federal 5 %', '5.00'],
    ['Local 7 %', '7.00'],
    ['Total tax on sales', '100.00', '12.00'],
    ['Tax to pay', '12.00'],
    ['2100 Sales tax', '0.00', '12.00', '0.00', '12.00'],
  ])
  const csv = await owner.get(`/reports/tax.csv${quarter}`)
  expect(csv.headers.get('content-disposition')).toContain('tax-2026-01-01-to-2026-03-31.csv')
  expect(csv.text).toContain(',Local 7 %,,7.00\r\n')
})

it('leads from a figure to its entries', async () => {
  const { text } = await owner.get(`/reports/tax${quarter}`)
  const link = /href="\/b\/[^/"]*(\/reports\/tax\/[^"]*section=sales)"/.exec(text)?.[1] ?? ''
  const entries = await owner.get(link.replaceAll('&amp;', '&'))
  expect(entries.text).toMatch(/href="[^"]*\/journal\/\d+"/)
  expect(entries.text).toContain('value="12.00"')
})

it('shows the figures of the cash-flow statement', async () => {
  const { text } = await owner.get(`/reports/cash-flow${quarter}&compare=previous_year`)
  const rows = new Map(rowsOf(text).map(([label = '', ...figures]) => [label, figures]))
  const { data } = await runOperation(reportCashFlow, world().context, books.owner, {
    from: '2026-01-01',
    to: '2026-03-31',
    compare: 'previous_year',
  })
  for (const { key: _, rows: lines } of data.sections) {
    for (const { code, name, amount, comparison } of lines) {
      const label = code === null ? name : `${code} ${name}`
      const figures = [amount, comparison].map(
        (one) => one && toText('amount' in one ? one.amount : one, 2),
      )
      expect([label, rows.get(label)]).toEqual([label, figures])
    }
  }
  expect(rows.get('Net profit')).toEqual(['100.00', '0.00'])
  expect(rows.get('At the end')).toEqual([toText(data.totals.closing, 2), '0.00'])
})

it('compares taxes with the period before, and shows them by month', async () => {
  const compared = await owner.get(
    '/reports/tax?from=2026-03-01&to=2026-03-31&compare=previous_period',
  )
  const both = rowsOf(compared.text).find(([label]) => label === 'Both')
  expect(both).toEqual(['Both', '0.00', '0.00', '100.00', '12.00'])
  expect(compared.text).toContain('Tax, 1 Feb 2026 to 28 Feb 2026')
  const { text } = await owner.get(`/reports/tax${quarter}&columns=months`)
  const rows = rowsOf(text)
  expect(rows.find(([label]) => label === 'Both')?.slice(1)).toEqual([
    '0.00',
    '12.00',
    '0.00',
    '12.00',
  ])
  expect(rows.find(([label]) => label === 'Local 7 %')?.slice(1)).toEqual([
    '0.00',
    '7.00',
    '0.00',
    '7.00',
  ])
  expect(text).toContain('aria-label="Tax by month"')
  expect(text).toContain('from=2026-02-01&amp;to=2026-02-28&amp;section=sales')
})

it('shows the cash flow of each month as the statement of the month does', async () => {
  const { text } = await owner.get(`/reports/cash-flow${quarter}&columns=months`)
  const rows = new Map(rowsOf(text).map(([label = '', ...figures]) => [label, figures]))
  const ends = ['2026-01-31', '2026-02-28', '2026-03-31']
  const periods = [
    ...ends.map((to) => ({ from: `${to.slice(0, 8)}01`, to })),
    { from: '2026-01-01', to: '2026-03-31' },
  ]
  for (const [index, period] of periods.entries()) {
    const { data } = await runOperation(reportCashFlow, world().context, books.owner, period)
    for (const { rows: lines } of data.sections) {
      for (const { code, name, amount } of lines) {
        const label = code === null ? name : `${code} ${name}`
        expect([label, rows.get(label)?.[index]]).toEqual([label, toText(amount, 2)])
      }
    }
    expect(rows.get('At the end')?.[index]).toBe(toText(data.totals.closing, 2))
  }
  expect(rows.get('Net profit')).toEqual(['0.00', '100.00', '0.00', '100.00'])
  expect(text).toContain('aria-label="Cash from each activity by month"')
})

it('closes the period, and says so', async () => {
  const viewer = await appVisitor(world(), books.businessId, 'viewer')
  expect((await viewer.get(`/reports/tax${quarter}`)).text).not.toContain('Close this period')
  expect((await viewer.get('/reports/tax/close')).status).toBe(403)
  expect((await owner.get(`/reports/tax${quarter}`)).text).toContain('Close this period')
  const answer = await owner.submit('/reports/tax/close?until=2026-03-31')
  expect(answer.status).toBe(303)
  expect((await viewer.get(`/reports/tax${quarter}`)).text).toContain('Closed')
  const { softLockedUntil } = await world().database.sql<{ softLockedUntil: string }[]>`
      select soft_locked_until
      from books.organisations
      where business_id = ${books.businessId}
        and environment = 'live'`.then(([row]) => row ?? { softLockedUntil: '' })
  expect(softLockedUntil).toBe('2026-03-31')
  // A page that was open since before neither moves the day back nor removes it.
  for (const until of ['2025-12-31', '']) {
    expect((await owner.submit('/reports/tax/close', { until })).status).toBe(422)
  }
  expect((await viewer.get(`/reports/tax${quarter}`)).text).toContain('Closed')
})
