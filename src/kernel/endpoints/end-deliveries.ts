// Ends what waits for a deleted endpoint, in batches, so that a long backlog does not hold its
// locks for long. None of it is sent meanwhile, because a worker that claims a delivery sees that
// the endpoint is deleted. May stop anywhere: the schedule that finishes endpoints goes on.
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
