// The cost of a page when there are many payments. Two services, each with its own database,
// because in one table the small business would pay for the size of the large one. Pages are picked
// at random, since a bad plan shows deep in a list.
import { insertSucceededPayments, loadingConnection } from './data.ts'
import { connections, load, type Request } from './load.ts'
import { measure, type Row } from './report.ts'
import { startService, withDirectory } from './servers.ts'

const few = 10_000
const many = 1_000_000

export const pageRow: Row = {
  name: 'page-growth',
  title: `a page of 100 payments anywhere among ${many}, against among ${few}`,
  goal: { atMost: 1.3 },
  unit: 'ms a page',
}

export async function measurePages(): Promise<void> {
  await withDirectory(async (manyDir, defer) => {
    const large = await startLoaded(manyDir, many)
    defer(large.stop)
    await withDirectory(async (fewDir, deferInner) => {
      const small = await startLoaded(fewDir, few)
      deferInner(small.stop)
      await measure(pageRow, async () => ({
        ours: await large.pageMs(),
        baseline: await small.pageMs(),
      }))
    })
  })
}

async function startLoaded(dataDir: string, payments: number) {
  const service = await startService(dataDir)
  const { sql, close } = loadingConnection(dataDir)
  await insertSucceededPayments(sql, service.demo.business_id, payments)
  await close()
  const request: Request = {
    path: '/merchant/api/v1/payments?limit=100',
    headers: { authorization: `Bearer ${service.demo.merchant.live_key}` },
    varied: ['page', payments],
  }
  const pageMs = async () => (1000 * connections) / (await load(service, request)).perSecond
  return { ...service, pageMs }
}
