// A context with a manual clock, and small jobs to run in it.
import { createFailpoint } from '../../src/kernel/basics/failpoint.ts'
import type { Ids } from '../../src/kernel/basics/id.ts'
import { systemIds } from '../../src/kernel/basics/id.ts'
import { createLog } from '../../src/kernel/basics/log.ts'
import type { Tenant } from '../../src/kernel/basics/tenant.ts'
import type { Context } from '../../src/kernel/db/context.ts'
import type { Database } from '../../src/kernel/db/database.ts'
import { enqueueJob, type JobRequest } from '../../src/kernel/jobs/enqueue-job.ts'
import type { Job } from '../../src/kernel/jobs/job.ts'
import { createWorker, type WorkerOptions } from '../../src/kernel/jobs/worker.ts'
import { type ManualClock, manualClock } from './clock.ts'

export type TestContext = Context & { readonly clock: ManualClock; readonly ids: Ids }

export function contextOn(
  database: Database,
  clock = manualClock(),
  logLines?: string[],
): TestContext {
  const log = logLines
    ? createLog('warn', { write: (line) => void logLines.push(line) })
    : createLog('silent')
  return { database, clock, ids: systemIds(clock), log, failpoint: createFailpoint() }
}

export function tenant(context: Context): Tenant {
  return { businessId: context.ids.uuid(), environment: 'live' }
}

export function enqueue<C extends Context, P>(
  context: C,
  job: Job<C, P>,
  request: Omit<JobRequest<P>, 'tenant'> & { tenant?: Tenant | null },
): Promise<boolean> {
  return context.database.transaction((tx) =>
    enqueueJob(tx, context, job, { tenant: null, ...request }),
  )
}

export function workerFor<C extends Context>(
  context: C,
  options: Partial<Omit<WorkerOptions<C>, 'context'>>,
): ReturnType<typeof createWorker> {
  return createWorker({ context, jobs: [], schedules: [], slots: 4, ...options })
}

export type JobState = {
  id: string
  shard: number
  attempts: number
  runAt: Date
  claimId: string | null
  leaseUntil: Date | null
  lastError: string | null
  deadAt: Date | null
}

export async function jobStates(context: Context): Promise<JobState[]> {
  return context.database.sql<JobState[]>`
    select id, shard, attempts, run_at, claim_id, lease_until, last_error, dead_at
    from kernel.jobs
    order by created_at, id`
}
