// Ends the waiting deliveries of a deleted endpoint, in batches, so that a long backlog does not
// hold locks for long. None is sent meanwhile, because a worker that claims one sees that the
// endpoint is deleted. It can stop anywhere: the schedule that finishes endpoints continues.
import type { Tenant } from '../basics/tenant.ts'
import type { Context } from '../db/context.ts'
import { shardOf } from '../jobs/job.ts'
import { updateDeliveriesToEnded } from '../webhooks/hold-store.ts'

const batchMax = 500

export async function endDeliveries(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  tenant: Tenant,
  endpointId: string,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const queued = { shard: shardOf(tenant), endpointId, now: clock.now() }
    const count = await database.transaction((tx) =>
      updateDeliveriesToEnded(tx, tenant, queued, batchMax),
    )
    if (count === 0) return
  }
}
