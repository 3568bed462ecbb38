// What waits for an endpoint that is switched off: deliveries that were on their way, which leave
// the queue, and attempts that somebody asked for, which are parked in it. They go on when it is
// switched on, and end when it is deleted.
import type { Tenant } from '../basics/tenant.ts'
import type { Sql, Tx } from '../db/database.ts'
import type { Fragment } from '../db/statement.ts'
import type { Queued } from './replay-store.ts'

// Of what is in the queue for an endpoint and is not parked: what is due, and what is planned for
// later.
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

// Sends on what was asked for and waited for an endpoint to be switched on. Answers how many.
export async function updateParkedToDue(
  tx: Tx,
  tenant: Tenant,
  queued: Queued,
  limit: number,
): Promise<number> {
  const parked = tx`run_at = 'infinity'`
  const { count } = await tx`
    update kernel.webhook_queue
    set run_at = ${queued.now}
    where ctid = any(${placesInQueue(tx, tenant, queued, parked, limit)})`
  return count
}

// Sends on what waited for an endpoint to be switched on, at most so many. Answers how many.
export async function updateHeldToOpen(
  tx: Tx,
  tenant: Tenant,
  { shard, endpointId, now }: Queued,
  limit: number,
): Promise<number> {
  const { count } = await tx`
    with delivery as (
      update kernel.webhook_deliveries
      set stopped_as = null
      where ctid = any(${placesOfHeld(tx, tenant, endpointId, limit)})
        and business_id is not distinct from ${tenant.businessId}
        and environment is not distinct from ${tenant.environment}
      returning id, event_id
    )
    insert into kernel.webhook_queue as queue
      (shard, business_id, environment, delivery_id, endpoint_id, event_id, run_at, scheduled_at)
    select ${shard}::integer, ${tenant.businessId}::uuid, ${tenant.environment}, id,
      ${endpointId}::uuid, event_id, ${now}::timestamptz, ${now}::timestamptz
    from delivery
    on conflict (shard, business_id, environment, delivery_id)
      do update
      set scheduled_at = excluded.scheduled_at`
  return count
}

// Ends what waits for an endpoint that is gone, at most so much of what is on its way and of what
// is held. Answers how much. What is being sent at this moment ends when its outcome is known.
export async function updateDeliveriesToEnded(
  tx: Tx,
  tenant: Tenant,
  queued: Queued,
  limit: number,
): Promise<number> {
  const free = tx`(leased_until is null or leased_until <= ${queued.now})`
  const waiting = await tx<{ deliveryId: string; scheduledAt: Date | null }[]>`
    delete from kernel.webhook_queue
    where ctid = any(${placesInQueue(tx, tenant, queued, free, limit)})
    returning delivery_id, scheduled_at`
  // One that waited only for a retry had its end before.
  const planned = waiting.filter(({ scheduledAt }) => scheduledAt !== null)
  await tx`
    update kernel.webhook_deliveries
    set stopped_as = 'ended'
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = any(${planned.map(({ deliveryId }) => deliveryId)}::uuid[])`
  const held = await tx`
    update kernel.webhook_deliveries
    set stopped_as = 'ended'
    where ctid = any(${placesOfHeld(tx, tenant, queued.endpointId, limit)})
      and business_id is not distinct from ${tenant.businessId}
      and environment is not distinct from ${tenant.environment}`
  return waiting.length + held.count
}

// Of what is in the queue for an endpoint, some, which nobody else has locked.
function placesInQueue(
  tx: Tx,
  { businessId, environment }: Tenant,
  { shard, endpointId }: Queued,
  chosen: Fragment,
  limit: number,
) {
  return tx`array(
      select ctid
      from kernel.webhook_queue
      where shard = ${shard}
        and business_id = ${businessId}
        and environment = ${environment}
        and endpoint_id = ${endpointId}
        and ${chosen}
      limit ${limit}
      for update skip locked
    )`
}

// The same of what is held for one. By their places, since anything else was planned by what is
// known of how much is held, which is old whenever it is much; and the tenant is named beside them
// in words that no index is taken for.
function placesOfHeld(
  tx: Tx,
  { businessId, environment }: Tenant,
  endpointId: string,
  limit: number,
) {
  return tx`array(
      select ctid
      from kernel.webhook_deliveries
      where business_id = ${businessId}
        and environment = ${environment}
        and endpoint_id = ${endpointId}
        and stopped_as = 'held'
      limit ${limit}
      for update skip locked
    )`
}
