// Queues a job in the caller's transaction: it becomes visible when the transaction commits, and is
// gone when it rolls back. Wake the worker after the commit, not here.
import type { Tenant } from '../basics/tenant.ts'
import type { Context } from '../db/context.ts'
import type { Tx } from '../db/database.ts'
import { type Job, shardOf } from './job.ts'
import { insertJob } from './job-store.ts'

export type JobRequest<Payload> = {
  readonly tenant: Tenant | null
  readonly payload: Payload
  readonly runAt?: Date
  // Names the work within the tenant and the kind. While such a job waits or runs, another is not
  // queued. Use it for work that must happen once, not for "something changed, look again", because
  // the running job may already have looked.
  readonly uniqueKey?: string
}

// False if the same work is already queued.
export async function enqueueJob<C extends Context, Payload>(
  tx: Tx,
  context: Pick<Context, 'clock' | 'ids' | 'sample'>,
  job: Job<C, Payload>,
  request: JobRequest<Payload>,
): Promise<boolean> {
  job.assertPayload(request.payload)
  const now = context.clock.now()
  const wanted = request.runAt ?? now
  const from = context.sample?.jobsFrom ?? wanted
  return insertJob(tx, {
    shard: shardOf(request.tenant),
    id: context.ids.uuid(),
    businessId: request.tenant?.businessId ?? null,
    environment: request.tenant?.environment ?? null,
    kind: job.kind,
    payload: request.payload,
    uniqueKey: request.uniqueKey ?? null,
    runAt: wanted < from ? from : wanted,
    createdAt: now,
  })
}
