// A million settlements in one response, compared with `psql` copying the same rows to /dev/null,
// and the growth of the service's memory meanwhile.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { insertSucceededPayments, loadingConnection } from './data.ts'
import { measure, type Row } from './report.ts'
import { databaseUrl, type RunningService, startService, withDirectory } from './servers.ts'

const count = 1_000_000
const memoryMbMax = 150
const formats = ['json', 'csv'] as const

export const settlementRows: readonly Row[] = formats.flatMap((format) => [
  {
    name: `settlements-${format}`,
    title: `${count} settlements as ${format} against copying the rows with psql`,
    goal: { atLeast: 0.25 },
    unit: 'rows a second',
  },
  {
    name: `settlements-${format}-memory`,
    title: `resident memory above idle for ${count} settlements as ${format}, against the limit`,
    goal: { atMost: 1 },
    unit: 'MB',
  },
])

export async function measureSettlements(rows: readonly Row[]): Promise<void> {
  await withDirectory(async (dataDir, defer) => {
    const service = await startService(dataDir)
    defer(service.stop)
    const url = databaseUrl(dataDir)
    const { sql, close } = loadingConnection(dataDir)
    await insertSucceededPayments(sql, service.demo.business_id, count)
    await close()
    const idleMb = residentMb(service.pid)
    for (const row of rows) {
      const format = row.name.includes('json') ? 'json' : 'csv'
      await measure(row, async () => {
        const ours = await download(service, format)
        if (row.name.endsWith('memory'))
          return { ours: ours.peakMb - idleMb, baseline: memoryMbMax }
        return { ours: ours.perSecond, baseline: await copy(url, service.demo.business_id) }
      })
    }
  })
}

async function download(service: RunningService, format: string) {
  const path = `/merchant/api/v1/settlements?from=2020-01-01&format=${format}`
  const authorization = `Authorization: Bearer ${service.demo.merchant.live_key}`
  let peakMb = 0
  let isOver = false
  const running = run('curl', ['-sSf', '-o', '/dev/null', '-H', authorization, service.url + path])
  const watched = running.finally(() => {
    isOver = true
  })
  while (!isOver) {
    peakMb = Math.max(peakMb, residentMb(service.pid))
    await Promise.race([watched, delay(50)])
  }
  return { perSecond: (1000 * count) / (await watched), peakMb }
}

async function copy(url: string, businessId: string): Promise<number> {
  const query = `
    select
      id, currency, amount_minor, fee_minor, net_minor, refunded_minor, split_recipient_id,
      split_minor, passed_over_recipient_id, settled_at
    from merchant.payments
    where business_id = '${businessId}'
      and environment = 'live'
      and settled_at >= '2020-01-01'
    order by settled_at, id`
  const command = `\\copy (${query.replaceAll(/\s+/g, ' ')}) to '/dev/null' csv header`
  return (1000 * count) / (await run('psql', [url, '-X', '-q', '-c', command]))
}

// The elapsed time in milliseconds.
async function run(command: string, parameters: readonly string[]): Promise<number> {
  const beganMs = performance.now()
  const child = spawn(command, parameters, { stdio: ['ignore', 'ignore', 'inherit'] })
  const [status] = await once(child, 'exit')
  if (status !== 0) throw new Error(`${command} ended with status ${status}`)
  return performance.now() - beganMs
}

function residentMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1000
}
