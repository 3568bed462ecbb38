// The events of an object, and how their deliveries went.
import type { Tenant } from '../basics/tenant.ts'
import type { Sql } from '../db/database.ts'

export type SentEvent = {
  readonly id: string
  readonly type: string
  readonly createdAt: Date
}

export type SentDelivery = {
  readonly id: string
  readonly eventId: string
  readonly endpointId: string
  readonly url: string
  readonly attempts: number
  // Null while none was made.
  readonly lastStatusCode: number | null
  readonly succeeded: boolean
}

export async function listEventsOfObject(
  sql: Sql,
  tenant: Tenant,
  objectId: string,
): Promise<SentEvent[]> {
  return sql<SentEvent[]>`
    select id, type, created_at
    from kernel.events
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and object_id = ${objectId}
    order by id`
}

export async function listDeliveriesOfEvents(
  sql: Sql,
  tenant: Tenant,
  eventIds: readonly string[],
): Promise<SentDelivery[]> {
  return sql<SentDelivery[]>`
    select delivery.id, delivery.event_id, delivery.endpoint_id, endpoint.url,
      count(attempt.attempt_number)::integer as attempts,
      (array_agg(attempt.status_code order by attempt.attempt_number desc))[1]
        as last_status_code,
      coalesce(bool_or(attempt.succeeded), false) as succeeded
    from kernel.webhook_deliveries delivery
    join kernel.webhook_endpoints endpoint
      on endpoint.business_id = delivery.business_id
      and endpoint.environment = delivery.environment
      and endpoint.id = delivery.endpoint_id
    left join kernel.webhook_attempts attempt
      on attempt.business_id = delivery.business_id
      and attempt.environment = delivery.environment
      and attempt.delivery_id = delivery.id
    where delivery.business_id = ${tenant.businessId}
      and delivery.environment = ${tenant.environment}
      and delivery.event_id = any(${eventIds}::uuid[])
    group by delivery.id, delivery.event_id, delivery.endpoint_id, endpoint.url
    order by delivery.event_id, endpoint.url`
}
