// What waits for an endpoint that is gone ends, in steps: a long backlog would hold its locks for
// as long as all of it takes. Nothing of it is sent meanwhile, since whoever claims one sees that
// the endpoint is gone. May stop anywhere: the schedule that tends endpoints goes on.
import type { Tenant } from '../basics/tenant.ts'
import type { Context } from '../db/context.ts'
import { shardOf } from '../jobs/job.ts'
import { updateDeliveriesToEnded } from '../webhooks/held-store.ts'

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
