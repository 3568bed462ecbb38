// Reports as they were known on an earlier day, and profit by month.
import { beforeAll, describe, expect, it } from 'vitest'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { reportAged } from '../../../src/books/reports/get-aged-report.ts'
import { reportBalanceSheet } from '../../../src/books/reports/get-balance-sheet.ts'
import { reportCashFlow } from '../../../src/books/reports/get-cash-flow.ts'
import { reportProfitAndLoss } from '../../../src/books/reports/get-profit-and-loss.ts'
import { reportProfitByMonth } from '../../../src/books/reports/get-profit-by-month.ts'
import { reportTax } from '../../../src/books/reports/get-tax-report.ts'
import { reportTrialBalance } from '../../../src/books/reports/get-trial-balance.ts'
import { reportGeneralLedger } from '../../../src/books/reports/list-general-ledger.ts'
import { listTaxEntries } from '../../../src/books/reports/list-tax-entries.ts'
import { toText } from '../../../src/kernel/money/decimal.ts'
import { writeJson } from '../../../src/kernel/money/exact-number.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { manualClock } from '../../support/clock.ts'
import { type Books, newBooks } from '../../support/documents.ts'
import { refusal } from '../../support/refusal.ts'
import { useWorld } from '../../support/world.ts'

const clock = manualClock(new Date('2026-06-30T12:00:00Z'))
const world = useWorld({ clock })
let books: Books
let taxCodeId: string

async function invoice(date: string, unitPrice: string) {
  const line = { description: 'Work', unitPrice, accountId: books.account('4000'), taxCodeId }
  const { id } = await books.draft('invoice', { date, lines: [line] })
  await runOperation(issueDocument, world().context, books.owner, { id })
}

const period = { from: '2026-01-01', to: '2026-03-31' }
const reports: readonly [name: string, read: (recordedOn?: string) => Promise<unknown>][] = [
  ['profit and loss', (recordedOn) => read(reportProfitAndLoss, { ...period, recordedOn })],
  ['profit by month', (recordedOn) => read(reportProfitByMonth, { ...period, recordedOn })],
  ['balance sheet', (recordedOn) => read(reportBalanceSheet, { asOf: period.to, recordedOn })],
  ['trial balance', (recordedOn) => read(reportTrialBalance, { asOf: period.to, recordedOn })],
  ['cash flow', (recordedOn) => read(reportCashFlow, { ...period, recordedOn })],
  ['tax', (recordedOn) => read(reportTax, { ...period, recordedOn })],
  ['tax entries', (recordedOn) => read(listTaxEntries, { ...period, taxCodeId, recordedOn })],
  [
    'general ledger',
    (recordedOn) =>
      read(reportGeneralLedger, { ...period, accountId: books.account('1100'), recordedOn }),
  ],
  [
    'aged receivables',
    (recordedOn) => read(reportAged, { side: 'receivables', asOf: period.to, recordedOn }),
  ],
]

type AnyRead = { run: unknown }

// As JSON, in which figures are easy to compare.
async function read(operation: AnyRead, input: object): Promise<unknown> {
  const result = await runOperation(operation as never, world().context, books.owner, input)
  return JSON.parse(writeJson(result))
}

const known = new Map<string, unknown>()

beforeAll(async () => {
  books = await newBooks(world())
  taxCodeId = (await books.taxCode('20')).id
  await invoice('2026-01-15', '100')
  await invoice('2026-03-01', '30')
  for (const [name, readOne] of reports) known.set(name, await readOne())
  clock.set(new Date('2026-07-01T00:30:00Z'))
  // Of a day in the period, but not known before.
  await invoice('2026-02-10', '50')
})

describe.each(reports)('%s', (name, readOne) => {
  it('is on an earlier day what it was then', async () => {
    expect(await readOne('2026-06-30')).toEqual(known.get(name))
    expect(await readOne()).not.toEqual(known.get(name))
    expect(await readOne('2026-07-01')).toEqual(await readOne())
  })
})

it('knows nothing before the first entry', async () => {
  const sheet = await runOperation(reportBalanceSheet, world().context, books.owner, {
    asOf: period.to,
    recordedOn: '2026-06-29',
  })
  expect(sheet.data.totals.assets.digits).toBe(0n)
  expect(sheet.data.ledger_seq).toBe(0n)
})

describe('profit by month', () => {
  it('has a column for each month, of which the first and last may be parts', async () => {
    const parts = { from: '2026-01-16', to: '2026-03-01' }
    const { data } = await runOperation(reportProfitByMonth, world().context, books.owner, parts)
    expect(data.months.map(({ from, to }) => `${from} ${to}`)).toEqual([
      '2026-01-16 2026-01-31',
      '2026-02-01 2026-02-28',
      '2026-03-01 2026-03-01',
    ])
    const incomes = [...data.months, data.whole].map(({ totals }) => toText(totals.income))
    expect(incomes).toEqual(['0', '50', '30', '80'])
  })

  it('has at most two years', async () => {
    const wide = { from: '2024-01-01', to: '2026-01-01' }
    const work = runOperation(reportProfitByMonth, world().context, books.owner, wide)
    expect(await refusal(work)).toContain('at most 24 months')
  })
})
