// Deliveries that enter the queue later than their event: replays, redrives of dead letters, and
// test events.
import type { Tenant } from '../basics/tenant.ts'
import type { Sql, Tx } from '../db/database.ts'
import { deliveryId } from './delivery-id.ts'

// The events of a time range that an endpoint receives. Ids start with their time, so bounds on the
// id limit how much is read; the time of the event decides.
export type ReplayRange = {
  readonly shard: number
  readonly service: string
  readonly endpointId: string
  readonly from: Date
  // Exclusive.
  readonly to: Date
  readonly idFrom: string
  readonly idTo: string
  // Null means all.
  readonly types: readonly string[] | null
  // Only events without a delivery to the endpoint.
  readonly isMissingOnly: boolean
}

export type ReplayCount = {
  // Events without a delivery to this endpoint.
  readonly missing: number
  // Events whose delivery succeeded or was stopped.
  readonly again: number
  // Events whose delivery is in the queue.
  readonly waiting: number
}

export async function findReplayCount(
  sql: Sql | Tx,
  tenant: Tenant,
  range: ReplayRange,
): Promise<ReplayCount> {
  const [row] = await sql<ReplayCount[]>`
    select (count(*) filter (where delivery.id is null))::integer as missing,
      (count(*) filter (
        where delivery.id is not null and not ${isWaiting(sql, tenant, range)}
      ))::integer as again,
      (count(*) filter (where ${isWaiting(sql, tenant, range)}))::integer as waiting
    from ${wantedEvents(sql, tenant, range, range.idFrom)}`
  return row ?? { missing: 0, again: 0, waiting: 0 }
}

export type Replayable = {
  readonly eventId: string
  readonly createdAt: Date
  readonly deliveryId: string | null
  readonly isWaiting: boolean
}

// In the order of ids, after the given one.
export async function listReplayable(
  sql: Sql | Tx,
  tenant: Tenant,
  range: ReplayRange,
  after: string,
  limit: number,
): Promise<Replayable[]> {
  return sql<Replayable[]>`
    select event.id as event_id, event.created_at, delivery.id as delivery_id,
      ${isWaiting(sql, tenant, range)} as is_waiting
    from ${wantedEvents(sql, tenant, range, after)}
    order by event.id
    limit ${limit}`
}

function wantedEvents(sql: Sql | Tx, tenant: Tenant, range: ReplayRange, after: string) {
  const types = range.types as string[] | null
  return sql`
    kernel.events event
    left join kernel.webhook_deliveries delivery
      on delivery.business_id = ${tenant.businessId}
      and delivery.environment = event.environment
      and delivery.event_id = event.id
      and delivery.endpoint_id = ${range.endpointId}
    where event.business_id = ${tenant.businessId}
      and event.environment = ${tenant.environment}
      and event.service = ${range.service}
      and event.id > ${after}
      and event.id < ${range.idTo}
      and event.created_at >= ${range.from}
      and event.created_at < ${range.to}
      and event.endpoint_id is null
      and (${types}::text[] is null or event.type = any(${types}::text[]))
      and (delivery.id is null or not ${range.isMissingOnly})`
}

// Whether the delivery is in the queue. Looked up separately for each event: with old statistics of
// the queue, the server would join all of it.
function isWaiting(sql: Sql | Tx, tenant: Tenant, { shard }: ReplayRange) {
  return sql`exists (
    select 1
    from kernel.webhook_queue queue
    where queue.shard = ${shard}
      and queue.business_id = ${tenant.businessId}
      and queue.environment = delivery.environment
      and queue.delivery_id = delivery.id
  )`
}

export type Queued = { readonly shard: number; readonly endpointId: string; readonly now: Date }

export type NewDelivery = { readonly id: string; readonly eventId: string }

// First deliveries of events, with the whole schedule. Events that have one already are left out.
export async function insertDeliveries(
  tx: Tx,
  tenant: Tenant,
  { shard, endpointId, now }: Queued,
  eventIds: readonly string[],
): Promise<NewDelivery[]> {
  const deliveries = await tx<NewDelivery[]>`
    insert into kernel.webhook_deliveries as added
      (business_id, environment, id, endpoint_id, event_id, created_at)
    select ${tenant.businessId}::uuid, ${tenant.environment}, id, ${endpointId}::uuid, event_id,
      ${now}::timestamptz
    from unnest(
      ${eventIds.map((eventId) => deliveryId(eventId, endpointId))}::uuid[],
      ${eventIds as string[]}::uuid[]
    ) as delivery (id, event_id)
    on conflict (business_id, environment, event_id, endpoint_id)
      do nothing
    returning added.id, added.event_id`
  await tx`
    insert into kernel.webhook_queue
      (shard, business_id, environment, delivery_id, endpoint_id, event_id, run_at, scheduled_at)
    select ${shard}::integer, ${tenant.businessId}::uuid, ${tenant.environment}, id,
      ${endpointId}::uuid, event_id, ${now}::timestamptz, ${now}::timestamptz
    from unnest(
      ${deliveries.map(({ id }) => id)}::uuid[],
      ${deliveries.map(({ eventId }) => eventId)}::uuid[]
    ) as delivery (id, event_id)`
  return deliveries
}

// One more attempt for each, outside the schedule. Deliveries that are already queued stay as they
// are.
export async function insertRetries(
  tx: Tx,
  tenant: Tenant,
  { shard, endpointId, now }: Queued,
  deliveryIds: readonly string[],
): Promise<number> {
  const { count } = await tx`
    insert into kernel.webhook_queue
      (shard, business_id, environment, delivery_id, endpoint_id, event_id, run_at, retry_asked_at)
    select ${shard}::integer, business_id, environment, id, endpoint_id, event_id,
      ${now}::timestamptz, ${now}::timestamptz
    from kernel.webhook_deliveries
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and endpoint_id = ${endpointId}
      and id = any(${deliveryIds as string[]}::uuid[])
    on conflict (shard, business_id, environment, delivery_id)
      do nothing`
  return count
}

export async function findDeadLetterCount(
  sql: Sql | Tx,
  tenant: Tenant,
  endpointId: string,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count
    from kernel.webhook_deliveries
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and endpoint_id = ${endpointId}
      and stopped_as = 'dead_lettered'`
  return row?.count ?? 0
}

// In the order of ids, after the given one.
export async function listDeadLetters(
  sql: Sql | Tx,
  tenant: Tenant,
  endpointId: string,
  after: string,
  limit: number,
): Promise<{ id: string }[]> {
  return sql<{ id: string }[]>`
    select id
    from kernel.webhook_deliveries
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and endpoint_id = ${endpointId}
      and stopped_as = 'dead_lettered'
      and id > ${after}
    order by id
    limit ${limit}`
}
