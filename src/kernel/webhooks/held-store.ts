// What waits for an endpoint that is switched off: deliveries that were on their way, which leave
// the queue, and attempts that somebody asked for, which are parked in it.
import type { Tenant } from '../basics/tenant.ts'
import type { Sql, Tx } from '../db/database.ts'
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
  { shard, endpointId, now }: Queued,
  limit: number,
): Promise<number> {
  const { count } = await tx`
    update kernel.webhook_queue
    set run_at = ${now}
    where ctid = any(array(
      select ctid
      from kernel.webhook_queue
      where shard = ${shard}
        and business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and endpoint_id = ${endpointId}
        and run_at = 'infinity'
      limit ${limit}
      for update skip locked
    ))`
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
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and stopped_as = 'held'
        and id in (
          select id
          from kernel.webhook_deliveries
          where business_id = ${tenant.businessId}
            and environment = ${tenant.environment}
            and endpoint_id = ${endpointId}
            and stopped_as = 'held'
          limit ${limit}
        )
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
