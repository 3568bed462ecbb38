// Deliveries as their owner sees them: the log, retries, and the end of those whose endpoint goes.
import type { Tenant } from '../basics/tenant.ts'
import type { Sql, Tx } from '../db/database.ts'
import type { Queued } from './replay-store.ts'

export type LoggedAttempt = {
  readonly deliveryId: string
  readonly eventId: string
  readonly eventType: string
  readonly attemptNumber: number
  readonly isManual: boolean
  readonly attemptedAt: Date
  readonly statusCode: number | null
  readonly error: string | null
  readonly succeeded: boolean
  readonly nextRetryAt: Date | null
  readonly deadLettered: boolean
}

export async function listAttempts(
  sql: Sql,
  tenant: Tenant,
  endpointId: string,
  limit: number,
): Promise<LoggedAttempt[]> {
  return sql<LoggedAttempt[]>`
    select attempt.delivery_id, event.id as event_id, event.type as event_type,
      attempt.attempt_number, attempt.is_manual, attempt.attempted_at, attempt.status_code,
      attempt.error, attempt.succeeded, attempt.next_retry_at, attempt.dead_lettered
    from kernel.webhook_attempts attempt
    join kernel.webhook_deliveries delivery
      on delivery.business_id = attempt.business_id
      and delivery.environment = attempt.environment
      and delivery.id = attempt.delivery_id
    join kernel.events event
      on event.business_id = delivery.business_id
      and event.environment = delivery.environment
      and event.id = delivery.event_id
    where attempt.business_id = ${tenant.businessId}
      and attempt.environment = ${tenant.environment}
      and attempt.endpoint_id = ${endpointId}
    order by attempt.attempted_at desc, attempt.delivery_id desc, attempt.attempt_number desc
    limit ${limit}`
}

export type Delivery = {
  readonly id: string
  readonly endpointId: string
  readonly eventId: string
  readonly eventType: string
  readonly service: string
  readonly endpointState: 'on' | 'off' | 'deleted'
}

export async function findDelivery(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<Delivery | undefined> {
  const [row] = await sql<Delivery[]>`
    select delivery.id, delivery.endpoint_id, delivery.event_id, event.type as event_type,
      endpoint.service, endpoint.state as endpoint_state
    from kernel.webhook_deliveries delivery
    join kernel.webhook_endpoints endpoint
      on endpoint.business_id = delivery.business_id
      and endpoint.environment = delivery.environment
      and endpoint.id = delivery.endpoint_id
    join kernel.events event
      on event.business_id = delivery.business_id
      and event.environment = delivery.environment
      and event.id = delivery.event_id
    where delivery.business_id = ${tenant.businessId}
      and delivery.environment = ${tenant.environment}
      and delivery.id = ${id}`
  return row
}

// Ends what waits for an endpoint that is gone, at most so much of what is on its way and of what
// is held. Answers how much. What is being sent at this moment ends when its outcome is known.
export async function updateDeliveriesToEnded(
  tx: Tx,
  tenant: Tenant,
  { shard, endpointId, now }: Queued,
  limit: number,
): Promise<number> {
  const waiting = await tx<{ deliveryId: string; scheduledAt: Date | null }[]>`
    delete from kernel.webhook_queue
    where ctid = any(array(
      select ctid
      from kernel.webhook_queue
      where shard = ${shard}
        and business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and endpoint_id = ${endpointId}
        and (leased_until is null or leased_until <= ${now})
      limit ${limit}
      for update skip locked
    ))
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
      )`
  return waiting.length + held.count
}

// Of all tenants.
export async function findHeldCount(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count
    from kernel.webhook_deliveries
    where stopped_as = 'held'`
  return row?.count ?? 0
}
