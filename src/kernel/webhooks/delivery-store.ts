// Deliveries as their business sees them: the log, and the delivery of a retry.
import type { Tenant } from '../basics/tenant.ts'
import type { Sql, Tx } from '../db/database.ts'
import type { Fragment } from '../db/statement.ts'
import type { Delivery, StoredAttempt } from './delivery.ts'

// The newest attempts at an endpoint.
export async function listAttempts(
  sql: Sql,
  tenant: Tenant,
  { shard, endpointId, limit }: { shard: number; endpointId: string; limit: number },
): Promise<StoredAttempt[]> {
  const chosen = sql`endpoint_id = ${endpointId}`
  return sql<StoredAttempt[]>`${attempts(sql, tenant, { shard, chosen, limit })}`
}

// The newest attempts of a delivery.
export async function listAttemptsOfDelivery(
  sql: Sql,
  tenant: Tenant,
  { shard, deliveryId, limit }: { shard: number; deliveryId: string; limit: number },
): Promise<StoredAttempt[]> {
  const chosen = sql`delivery_id = ${deliveryId}`
  return sql<StoredAttempt[]>`${attempts(sql, tenant, { shard, chosen, limit })}`
}

export async function findAttempt(
  sql: Sql,
  tenant: Tenant,
  { shard, deliveryId, number }: { shard: number; deliveryId: string; number: number },
): Promise<StoredAttempt | undefined> {
  const chosen = sql`delivery_id = ${deliveryId}
    and attempt_number = ${number}`
  const [row] = await sql<StoredAttempt[]>`${attempts(sql, tenant, { shard, chosen, limit: 1 })}`
  return row
}

// The row of an attempt contains the planned time of the next one. Until the schedule has made that
// one, the queue has the current plan: it is gone after a successful retry or with the endpoint,
// and it may have changed. While the endpoint is off, nothing is planned.
function attempts(
  sql: Sql,
  { businessId, environment }: Tenant,
  { shard, chosen, limit }: { shard: number; chosen: Fragment; limit: number },
) {
  return sql`
    select attempt.delivery_id, attempt.endpoint_id, event.id as event_id, event.type as event_type,
      event.created_at as event_created_at, event.data::text as data,
      attempt.attempt_number, attempt.is_manual, attempt.attempted_at, attempt.duration_ms,
      attempt.status_code, attempt.error, attempt.response_text, attempt.succeeded,
      attempt.dead_lettered,
      case
        when attempt.succeeded then null
        when exists (
          select 1
          from kernel.webhook_attempts later
          where later.business_id = ${businessId}
            and later.environment = attempt.environment
            and later.delivery_id = attempt.delivery_id
            and later.attempt_number > attempt.attempt_number
            and not later.is_manual
        ) then attempt.next_retry_at
        when endpoint.state = 'on' then (
          select scheduled_at
          from kernel.webhook_queue queue
          where queue.shard = ${shard}
            and queue.business_id = ${businessId}
            and queue.environment = attempt.environment
            and queue.delivery_id = attempt.delivery_id
        )
      end as next_retry_at
    from (
      select *
      from kernel.webhook_attempts
      where business_id = ${businessId}
        and environment = ${environment}
        and ${chosen}
      order by attempted_at desc, delivery_id desc, attempt_number desc
      limit ${limit}
    ) as attempt
    join kernel.webhook_deliveries delivery
      on delivery.business_id = ${businessId}
      and delivery.environment = attempt.environment
      and delivery.id = attempt.delivery_id
    join kernel.webhook_endpoints endpoint
      on endpoint.business_id = ${businessId}
      and endpoint.environment = attempt.environment
      and endpoint.id = attempt.endpoint_id
    join kernel.events event
      on event.business_id = ${businessId}
      and event.environment = delivery.environment
      and event.id = delivery.event_id
    order by attempt.attempted_at desc, attempt.delivery_id desc, attempt.attempt_number desc`
}

export async function findDelivery(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<Delivery | undefined> {
  const [row] = await sql<Delivery[]>`
    select delivery.id, delivery.endpoint_id, delivery.event_id, event.type as event_type,
      endpoint.service, endpoint.state as endpoint_state, delivery.created_at
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
