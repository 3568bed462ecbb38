// Pages of the books among many documents, against their own reads: the same operations, called
// directly, without session, frame and rendering.
import type { BooksContext } from '../src/books/context.ts'
import { getDocumentStory } from '../src/books/documents/get-document-story.ts'
import { searchDocuments } from '../src/books/documents/search-documents.ts'
import { reportAged } from '../src/books/reports/get-aged-report.ts'
import { reportBalanceSheet } from '../src/books/reports/get-balance-sheet.ts'
import { reportCashFlow } from '../src/books/reports/get-cash-flow.ts'
import { reportProfitAndLoss } from '../src/books/reports/get-profit-and-loss.ts'
import { reportTax } from '../src/books/reports/get-tax-report.ts'
import { reportTrialBalance } from '../src/books/reports/get-trial-balance.ts'
import { connect } from '../src/kernel/db/database.ts'
import { openAsOwner, reader, timeMs } from './app-pages.ts'
import { insertManyDocuments } from './many-documents.ts'
import { contextOf } from './payout-baseline.ts'
import { measure, type Row } from './report.ts'
import { databaseUrl, startService, withDirectory } from './servers.ts'

// A smaller number only shows that the rows work.
const many = Number(process.env.BENCH_DOCUMENTS ?? 100_000)

type Run = ReturnType<typeof reader>
type Page = { title: string; path: string; read(run: Run, id: string): Promise<unknown> }

const pages: Record<string, Page> = {
  'books-invoices': {
    title: 'the list of invoices',
    path: '/invoices',
    read: (run) => run(searchDocuments, { side: 'sales', limit: 50 }),
  },
  'books-invoice': {
    title: 'an invoice',
    path: '/invoices/:id',
    read: (run, id) => run(getDocumentStory, { id, side: 'sales' }),
  },
  'books-profit-and-loss': {
    title: 'profit and loss',
    path: '/reports/profit-and-loss',
    read: (run) => run(reportProfitAndLoss, {}),
  },
  'books-balance-sheet': {
    title: 'the balance sheet',
    path: '/reports/balance-sheet',
    read: (run) => run(reportBalanceSheet, {}),
  },
  'books-trial-balance': {
    title: 'the trial balance',
    path: '/reports/trial-balance',
    read: (run) => run(reportTrialBalance, {}),
  },
  'books-aged': {
    title: 'aged receivables',
    path: '/reports/aged-receivables',
    read: (run) => run(reportAged, { side: 'receivables' }),
  },
  'books-cash-flow': {
    title: 'the cash-flow statement',
    path: '/reports/cash-flow',
    read: (run) => run(reportCashFlow, {}),
  },
  'books-tax': {
    title: 'the tax report',
    path: '/reports/tax',
    read: (run) => run(reportTax, {}),
  },
}

export const booksPageRows: readonly Row[] = Object.entries(pages).map(([name, { title }]) => ({
  name,
  title: `${title} among ${many} documents against its reads`,
  goal: { atMost: 2 },
  unit: 'ms a page',
}))

export async function measureBooksPages(rows: readonly Row[]): Promise<void> {
  await withDirectory(async (dataDir, defer) => {
    const service = await startService(dataDir)
    defer(service.stop)
    const database = connect({ url: databaseUrl(dataDir), poolSize: 10 })
    defer(database.close)
    const business = service.demo.business_id
    const id = await insertManyDocuments(contextOf(database) as BooksContext, business, many)
    const open = await openAsOwner(service)
    const run = reader(contextOf(database), business)
    for (const row of rows) {
      const page = pages[row.name]
      if (!page) continue
      const path = `/b/${business}${page.path.replace(':id', id)}`
      await measure(row, async () => ({
        ours: await timeMs(() => open(path)),
        baseline: await timeMs(() => page.read(run, id)),
      }))
    }
  })
}
