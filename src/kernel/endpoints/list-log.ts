import type { Tenant } from '../basics/tenant.ts'
import type { Context } from '../db/context.ts'
import { shardOf } from '../jobs/job.ts'
import type { StoredAttempt } from '../webhooks/delivery.ts'
import { listAttempts } from '../webhooks/delivery-store.ts'

export const logMax = 100

// The newest attempts at an endpoint, even a deleted one.
export async function listLog(
  { database }: Pick<Context, 'database'>,
  tenant: Tenant,
  endpointId: string,
): Promise<StoredAttempt[]> {
  const wanted = { shard: shardOf(tenant), endpointId, limit: logMax }
  return listAttempts(database.sql, tenant, wanted)
}
