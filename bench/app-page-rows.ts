// Pages of the application among many payments, against their own reads: the same operations,
// called directly, without session, frame and rendering. And how much script a page loads.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { reportAged } from '../src/books/reports/get-aged-report.ts'
import { connect } from '../src/kernel/db/database.ts'
import { getApprovalCount } from '../src/merchant/approvals/get-approval-count.ts'
import { listBalances } from '../src/merchant/balances/list-balances.ts'
import { getPaymentStory } from '../src/merchant/payments/get-payment-story.ts'
import { listPayments } from '../src/merchant/payments/list-payments.ts'
import { getVolumes } from '../src/merchant/volumes/get-volumes.ts'
import { openAsOwner, reader, timeMs } from './app-pages.ts'
import { insertPaymentsOverTime, loadingConnection } from './data.ts'
import { contextOf } from './payout-baseline.ts'
import { measure, type Row } from './report.ts'
import { databaseUrl, startService, withDirectory } from './servers.ts'

// A smaller number only shows that the rows work.
const many = Number(process.env.BENCH_PAYMENTS ?? 1_000_000)
const scriptBytesMax = 60_000

const pages = {
  'app-home': 'Home',
  'app-payments': 'the list of payments',
  'app-payment': 'a payment',
}
type PageName = keyof typeof pages
const pageNames = Object.keys(pages) as PageName[]

const scriptRow: Row = {
  name: 'app-script',
  title: `script of a page, compressed, against ${scriptBytesMax} bytes`,
  goal: { atMost: 1 },
  unit: 'bytes',
}

export const appPageRows: readonly Row[] = [
  ...pageNames.map((name) => ({
    name,
    title: `${pages[name]} among ${many} payments against its reads`,
    goal: { atMost: 2 },
    unit: 'ms a page',
  })),
  scriptRow,
]

export async function measureAppPages(rows: readonly Row[]): Promise<void> {
  if (rows.includes(scriptRow)) await measureScript()
  const wanted = rows.filter(({ name }) => name in pages)
  if (wanted.length === 0) return
  await withDirectory(async (dataDir, defer) => {
    const service = await startService(dataDir)
    defer(service.stop)
    const loading = loadingConnection(dataDir)
    const business = service.demo.business_id
    const paymentId = await insertPaymentsOverTime(loading.sql, business, many)
    await loading.close()
    const database = connect({ url: databaseUrl(dataDir), poolSize: 10 })
    defer(database.close)
    const open = await openAsOwner(service)
    const reads = readsOf(contextOf(database), business, paymentId)
    const paths: Record<PageName, string> = {
      'app-home': `/b/${business}`,
      'app-payments': `/b/${business}/payments`,
      'app-payment': `/b/${business}/payments/${paymentId}`,
    }
    for (const row of wanted) {
      const name = row.name as PageName
      await measure(row, async () => ({
        ours: await timeMs(() => open(paths[name])),
        baseline: await timeMs(reads[name]),
      }))
    }
  })
}

type Context = ReturnType<typeof contextOf>

// What each page reads, as the page does: side by side.
function readsOf(context: Context, businessId: string, paymentId: string) {
  const run = reader(context, businessId)
  const all = (...reads: Promise<unknown>[]) => Promise.all(reads)
  return {
    'app-home': () =>
      all(
        run(getVolumes, { timeZone: 'UTC' }),
        run(listPayments, { limit: 8 }),
        run(listBalances, {}),
        run(reportAged, { side: 'receivables' }),
        run(getApprovalCount, {}),
      ),
    'app-payments': () =>
      all(run(listPayments, { limit: 25 }), run(listBalances, {}), run(getApprovalCount, {})),
    'app-payment': () => all(run(getPaymentStory, { id: paymentId }), run(getApprovalCount, {})),
  }
}

async function measureScript(): Promise<void> {
  const script = readFileSync(new URL('../dist/islands/app.js', import.meta.url))
  const bytes = gzipSync(script, { level: 9 }).length
  await measure(scriptRow, async () => ({ ours: bytes, baseline: scriptBytesMax }))
}
