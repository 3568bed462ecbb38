// Deliveries as their owner sees them: the log, retries, and the end of those whose endpoint goes.
import type { Tenant } from '../basics/tenant.ts'
import type { Sql, Tx } from '../db/database.ts'

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

// Beside whatever the schedule wants. While an attempt is being made the lease stays as it is, and
// whoever holds it finds the wish when it records the outcome.
export async function insertRetry(
  tx: Tx,
  tenant: Tenant,
  shard: number,
  delivery: Delivery,
  now: Date,
): Promise<void> {
  await tx`
    insert into kernel.webhook_queue as queue
      (shard, business_id, environment, delivery_id, endpoint_id, event_id, run_at, retry_asked_at)
    values
      (${shard}, ${tenant.businessId}, ${tenant.environment}, ${delivery.id},
       ${delivery.endpointId}, ${delivery.eventId}, ${now}, ${now})
    on conflict (shard, business_id, environment, delivery_id)
      do update
      set retry_asked_at = excluded.retry_asked_at,
        run_at = case
          when queue.claim_id is null then least(queue.run_at, excluded.run_at)
          else queue.run_at
        end`
}

// Ends what waits for an endpoint that is gone. What is being sent at this moment ends when its
// outcome is known.
export async function updateDeliveriesToEnded(
  tx: Tx,
  tenant: Tenant,
  shard: number,
  endpointId: string,
  now: Date,
): Promise<void> {
  const waiting = await tx<{ deliveryId: string }[]>`
    delete from kernel.webhook_queue
    where shard = ${shard}
      and business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and endpoint_id = ${endpointId}
      and (claim_id is null or run_at <= ${now})
    returning delivery_id`
  await tx`
    update kernel.webhook_deliveries
    set state = 'ended',
      ended_at = ${now}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = any(${waiting.map(({ deliveryId }) => deliveryId)}::uuid[])
      and state = 'open'`
}
