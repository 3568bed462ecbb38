// Processes of the service whose clock a test moves, and whether anything is left for them to do.
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { Sql } from '../../src/kernel/db/database.ts'

// Loaded into the process before anything else.
export const shiftTime = join(import.meta.dirname, 'shift-time.ts')

export async function listClaims(sql: Sql): Promise<string[]> {
  const rows = await sql<{ claimId: string }[]>`
    select claim_id from kernel.jobs where claim_id is not null
    union all
    select claim_id from kernel.schedules where claim_id is not null
    union all
    select claim_id from kernel.webhook_queue where claim_id is not null`
  return rows.map(({ claimId }) => claimId)
}

// Leaving out what is held by one of these claims, until its lease is over.
export async function isIdle(sql: Sql, now: Date, claims: readonly string[]): Promise<boolean> {
  const isFree = (lease: string) => sql`
    not coalesce(claim_id = any(${[...claims]}::uuid[]) and ${sql(lease)} > ${now}, false)`
  const [row] = await sql<{ isIdle: boolean }[]>`
    select not exists (
      select from kernel.jobs
      where dead_at is null
        and run_at <= ${now}
        and ${isFree('lease_until')}
    ) and not exists (
      select from kernel.schedules
      where (next_run_at <= ${now} or lease_until > ${now})
        and ${isFree('lease_until')}
    ) and not exists (
      select from kernel.webhook_queue
      where (run_at <= ${now} or claim_id is not null)
        and ${isFree('leased_until')}
    ) as is_idle`
  return row?.isIdle === true
}

// Its exit status, null after a signal. What it prints must be read for it to end.
export function closed(child: ChildProcess): Promise<number | null> {
  child.stdout?.resume()
  return new Promise((resolve) => child.once('close', resolve))
}

export function shift(child: ChildProcess, offsetMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      child.off('message', done)
      child.off('close', done)
      resolve()
    }
    child.on('message', done)
    child.on('close', done)
    // An error means that it has just died, which `close` tells too.
    child.send({ offsetMs }, () => undefined)
  })
}

export function onLine(
  child: ChildProcess,
  stream: 'stdout' | 'stderr',
  take: (line: string) => void,
) {
  let rest = ''
  child[stream]?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('utf8')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  })
}

// It only ends what hangs: a busy machine may be slow.
const waitMsMax = 180_000

export async function until(wanted: () => Promise<boolean> | boolean, what: string): Promise<void> {
  const end = performance.now() + waitMsMax
  while (!(await wanted())) {
    if (performance.now() > end) throw new Error(what)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
