// Deliveries on hold because their endpoint is off. They stay in the queue with an infinite time.
// They continue when the endpoint is switched on, and end when it is deleted.
import type { Tenant } from '../basics/tenant.ts'
import type { Sql, Tx } from '../db/database.ts'
import type { Fragment } from '../db/statement.ts'
import type { Queued } from './replay-store.ts'

// Deliveries in the queue of an endpoint that are not on hold.
export async function findQueuedCounts(
  sql: Sql,
  tenant: Tenant,
  { shard, endpointId, now }: Queued,
): Promise<{ readonly due: number; readonly planned: number; readonly nextAt: Date | null }> {
  const [row] = await sql<{ due: number; planned: number; nextAt: Date | null }[]>`
    select (count(*) filter (where run_at <= ${now}))::integer as due,
      (count(*) filter (where run_at > ${now}))::integer as planned,
      min(run_at) filter (where run_at > ${now}) as next_at
    from kernel.webhook_queue
    where shard = ${shard}
      and business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and endpoint_id = ${endpointId}
      and run_at < 'infinity'`
  return row ?? { due: 0, planned: 0, nextAt: null }
}

// Makes up to `limit` deliveries on hold due. Returns how many.
export async function updateHeldToDue(
  tx: Tx,
  tenant: Tenant,
  queued: Queued,
  limit: number,
): Promise<number> {
  const isHeld = tx`run_at = 'infinity'`
  const { count } = await tx`
    update kernel.webhook_queue
    set run_at = ${queued.now},
      scheduled_at = case when scheduled_at is null then null else ${queued.now}::timestamptz end
    where business_id = ${tenant.businessId}
      and ctid = any(${placesInQueue(tx, tenant, queued, isHeld, limit)})`
  return count
}

// Ends up to `limit` waiting deliveries of a deleted endpoint. Returns how many. A delivery that is
// being sent ends when its result is known.
export async function updateDeliveriesToEnded(
  tx: Tx,
  tenant: Tenant,
  queued: Queued,
  limit: number,
): Promise<number> {
  const isFree = tx`(leased_until is null or leased_until <= ${queued.now})`
  const waiting = await tx<{ deliveryId: string; scheduledAt: Date | null }[]>`
    delete from kernel.webhook_queue
    where business_id = ${tenant.businessId}
      and ctid = any(${placesInQueue(tx, tenant, queued, isFree, limit)})
    returning delivery_id, scheduled_at`
  // A delivery that was only sent again had ended before.
  const scheduled = waiting.filter(({ scheduledAt }) => scheduledAt !== null)
  await tx`
    update kernel.webhook_deliveries
    set stopped_as = 'ended'
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = any(${scheduled.map(({ deliveryId }) => deliveryId)}::uuid[])`
  return waiting.length
}

// Some rows of an endpoint by their physical position (ctid): with old statistics, the server would
// read all of them.
function placesInQueue(
  tx: Tx,
  { businessId, environment }: Tenant,
  { shard, endpointId }: Queued,
  isChosen: Fragment,
  limit: number,
) {
  return tx`array(
      select ctid
      from kernel.webhook_queue
      where shard = ${shard}
        and business_id = ${businessId}
        and environment = ${environment}
        and endpoint_id = ${endpointId}
        and ${isChosen}
      limit ${limit}
      for update skip locked
    )`
}
