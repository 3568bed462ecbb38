import type { Tenant } from '../basics/tenant.ts'
import type { Tx } from '../db/database.ts'
import { rawBigints } from '../money/exact-number.ts'
import type { NewEvent } from './event.ts'

// One statement, because it is part of every transaction that moves money. The endpoints are read
// without a lock: one that is being deleted may still get a delivery, which the worker then ends.
// Like every id, the id of a delivery starts with the time of its event. It is computed from event
// and endpoint, because only this statement knows how many ids are needed.
export async function insertEvent(
  tx: Tx,
  tenant: Tenant,
  event: NewEvent & { id: string; createdAt: Date; shard: number; isDelivered: boolean },
): Promise<void> {
  // Time, version and counter.
  const start = event.id.slice(0, 18)
  await tx`
    with event as (
      insert into kernel.events
        (business_id, environment, id, service, type, object_id, data, created_at)
      values
        (${tenant.businessId}, ${tenant.environment}, ${event.id}, ${event.service}, ${event.type},
         ${event.objectId}, ${tx.json(rawBigints(event.data))}, ${event.createdAt})
    ), delivery as (
      insert into kernel.webhook_deliveries as added
        (business_id, environment, id, endpoint_id, event_id, created_at)
      select business_id, environment,
        (${start}::text || '-a' || substr(hash, 1, 3) || '-' || substr(hash, 4, 12))::uuid,
        endpoint.id, ${event.id}::uuid, ${event.createdAt}::timestamptz
      from kernel.webhook_endpoints endpoint
      cross join lateral md5(${event.id}::text || endpoint.id) as hash
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and service = ${event.service}
        and state = 'on'
        and ${event.isDelivered}
        and (event_types is null or ${event.type}::text = any(event_types))
      returning added.id, added.endpoint_id
    )
    insert into kernel.webhook_queue
      (shard, business_id, environment, delivery_id, endpoint_id, event_id, run_at, scheduled_at)
    select ${event.shard}::integer, ${tenant.businessId}::uuid, ${tenant.environment}, id,
      endpoint_id, ${event.id}::uuid, ${event.createdAt}::timestamptz,
      ${event.createdAt}::timestamptz
    from delivery`
}

// An event for a single endpoint. The caller inserts its delivery.
export async function insertEventForEndpoint(
  tx: Tx,
  tenant: Tenant,
  event: NewEvent & { id: string; createdAt: Date; endpointId: string },
): Promise<void> {
  await tx`
    insert into kernel.events
      (business_id, environment, id, service, type, object_id, data, created_at, endpoint_id)
    values
      (${tenant.businessId}, ${tenant.environment}, ${event.id}, ${event.service}, ${event.type},
       ${event.objectId}, ${tx.json(rawBigints(event.data))}, ${event.createdAt},
       ${event.endpointId})`
}
