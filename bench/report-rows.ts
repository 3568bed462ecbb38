// Reports on books with a million entries, compared with Debian's `ledger`, which reads and sums
// the exported journal, and with the same reports on ten thousand entries. Two servers, since in
// one table the small books would pay for the size of the large ones. `ledger` runs once, because
// it takes as long as everything else.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BooksContext } from '../src/books/context.ts'
import { listJournalText } from '../src/books/export/list-journal-text.ts'
import { reportBalanceSheet } from '../src/books/reports/get-balance-sheet.ts'
import { reportProfitAndLoss } from '../src/books/reports/get-profit-and-loss.ts'
import { reportTrialBalance } from '../src/books/reports/get-trial-balance.ts'
import type { Tenant } from '../src/kernel/basics/tenant.ts'
import { connect } from '../src/kernel/db/database.ts'
import { writeJson } from '../src/kernel/money/exact-number.ts'
import { runOperation } from '../src/kernel/operations/run-operation.ts'
import { insertBooks } from './books-data.ts'
import { startDatabase } from './database.ts'
import { contextOf } from './payout-baseline.ts'
import { measure, type Row } from './report.ts'
import { type Defer, withDirectory } from './servers.ts'

const few = 10_000
const many = 1_000_000
const reportsPerRound = 10
const asOf = '2025-12-15'

const reports = {
  'report-trial-balance': { title: 'trial balances', run: runTrialBalance },
  'report-profit-and-loss': { title: 'profit and loss statements', run: runProfitAndLoss },
  'report-balance-sheet': { title: 'balance sheets', run: runBalanceSheet },
}
type ReportName = keyof typeof reports
const reportNames = Object.keys(reports) as ReportName[]

const growthRow: Row = {
  name: 'report-growth',
  title: `the three reports on ${many} entries against on ${few}`,
  goal: { atMost: 2 },
  unit: 'ms for the three',
}

export const reportRows: readonly Row[] = [
  ...reportNames.map((name) => ({
    name,
    title: `${reports[name].title} on ${many} entries against ledger bal`,
    goal: { atLeast: 1000 },
    unit: 'a second',
  })),
  growthRow,
]

export async function measureReports(rows: readonly Row[]): Promise<void> {
  await withDirectory(async (manyDir, defer) => {
    const large = await startBooks(manyDir, defer, many)
    const againstLedger = rows.filter(({ name }) => name !== growthRow.name)
    if (againstLedger.length > 0) {
      const baseline = 1000 / (await ledgerMs(large, join(manyDir, 'journal.ledger')))
      for (const row of againstLedger) {
        const { run } = reports[row.name as ReportName]
        await measure(row, async () => ({ ours: 1000 / (await large.timeMs([run])), baseline }))
      }
    }
    if (!rows.includes(growthRow)) return
    await withDirectory(async (fewDir, deferInner) => {
      const small = await startBooks(fewDir, deferInner, few)
      const all = reportNames.map((name) => reports[name].run)
      await measure(growthRow, async () => ({
        ours: await large.timeMs(all),
        baseline: await small.timeMs(all),
      }))
    })
  })
}

type Run = (context: BooksContext, tenant: Tenant) => Promise<unknown>
type Books = {
  context: BooksContext
  tenant: Tenant
  timeMs(runs: readonly Run[]): Promise<number>
}

async function startBooks(dataDir: string, defer: Defer, entries: number): Promise<Books> {
  const { url } = await startDatabase(dataDir, defer)
  const tenant = await insertBooks(url, entries)
  const database = connect({ url, poolSize: 1 })
  defer(database.close)
  const context = contextOf(database) as BooksContext
  return {
    context,
    tenant,
    // The time for one of each.
    async timeMs(runs) {
      const beganMs = performance.now()
      for (let count = 0; count < reportsPerRound; count += 1) {
        for (const run of runs) writeJson(await run(context, tenant))
      }
      return (performance.now() - beganMs) / reportsPerRound
    },
  }
}

const actor = (tenant: Tenant) => ({ kind: 'system', name: 'bench', ...tenant }) as const

function runTrialBalance(context: BooksContext, tenant: Tenant) {
  return runOperation(reportTrialBalance, context, actor(tenant), { asOf })
}

function runProfitAndLoss(context: BooksContext, tenant: Tenant) {
  return runOperation(reportProfitAndLoss, context, actor(tenant), { from: '2025-01-01', to: asOf })
}

function runBalanceSheet(context: BooksContext, tenant: Tenant) {
  return runOperation(reportBalanceSheet, context, actor(tenant), { asOf })
}

async function ledgerMs({ context, tenant }: Books, file: string): Promise<number> {
  const text = Readable.from(listJournalText(context, tenant, 'ledger'))
  await pipeline(text, createWriteStream(file))
  const beganMs = performance.now()
  const child = spawn('ledger', ['-f', file, 'bal', '--flat', '-B'], { stdio: 'ignore' })
  const [status] = await once(child, 'exit')
  if (status !== 0) throw new Error(`ledger ended with ${status}`)
  return performance.now() - beganMs
}
