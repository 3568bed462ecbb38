import type { Tenant } from '../basics/tenant.ts'
import type { Tx } from '../db/database.ts'
import { rawBigints } from '../money/exact-number.ts'
import { deliveryId } from './delivery-id.ts'
import type { NewEvent } from './event.ts'

type StoredEvent = NewEvent & { readonly id: string; readonly createdAt: Date }

// Part of every transaction that moves money, so it is sent in two turns at most: the event beside
// the question who receives it, then a delivery and its place in the queue for each. The endpoints
// are read without a lock: one that is being deleted may still get a delivery, which the worker
// then ends.
export async function insertEvent(
  tx: Tx,
  tenant: Tenant,
  event: StoredEvent & { shard: number; isDelivered: boolean },
): Promise<void> {
  const [endpoints] = await Promise.all([
    event.isDelivered ? listReceivingEndpoints(tx, tenant, event) : [],
    insertEventRow(tx, tenant, event, null),
  ])
  if (endpoints.length === 0) return
  const { businessId, environment } = tenant
  const { id: eventId, createdAt, shard } = event
  const deliveries = endpoints.map((endpoint) => ({
    businessId,
    environment,
    id: deliveryId(eventId, endpoint.id),
    endpointId: endpoint.id,
    eventId,
    createdAt,
  }))
  const queued = deliveries.map(({ id, endpointId }) => ({
    shard,
    businessId,
    environment,
    deliveryId: id,
    endpointId,
    eventId,
    runAt: createdAt,
    scheduledAt: createdAt,
  }))
  await Promise.all([
    tx`insert into kernel.webhook_deliveries ${tx(deliveries)}`,
    tx`insert into kernel.webhook_queue ${tx(queued)}`,
  ])
}

async function listReceivingEndpoints(
  tx: Tx,
  tenant: Tenant,
  { service, type }: NewEvent,
): Promise<{ id: string }[]> {
  return tx<{ id: string }[]>`
    select id
    from kernel.webhook_endpoints
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and service = ${service}
      and state = 'on'
      and (event_types is null or ${type}::text = any(event_types))
    order by id`
}

// An event for a single endpoint. The caller inserts its delivery.
export async function insertEventForEndpoint(
  tx: Tx,
  tenant: Tenant,
  event: StoredEvent & { endpointId: string },
): Promise<void> {
  await insertEventRow(tx, tenant, event, event.endpointId)
}

async function insertEventRow(
  tx: Tx,
  tenant: Tenant,
  event: StoredEvent,
  endpointId: string | null,
): Promise<void> {
  await tx`
    insert into kernel.events
      (business_id, environment, id, service, type, object_id, data, created_at, endpoint_id)
    values
      (${tenant.businessId}, ${tenant.environment}, ${event.id}, ${event.service}, ${event.type},
       ${event.objectId}, ${tx.json(rawBigints(event.data))}, ${event.createdAt}, ${endpointId})`
}
