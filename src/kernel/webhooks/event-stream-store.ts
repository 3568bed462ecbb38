// The queries of `cli listen`. It only reads, so that listening changes nothing.
import type { Tenant } from '../basics/tenant.ts'
import type { Sql } from '../db/database.ts'

export type StreamedEvent = {
  readonly id: string
  readonly service: string
  readonly type: string
  readonly createdAt: Date
  // JSON, as the database writes it.
  readonly data: string
}

export async function findNewestEventId(sql: Sql, tenant: Tenant): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id
    from kernel.events
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    order by id desc
    limit 1`
  return row?.id
}

export async function listNewEvents(
  sql: Sql,
  tenant: Tenant,
  from: string,
  known: readonly string[],
): Promise<StreamedEvent[]> {
  return sql<StreamedEvent[]>`
    select id, service, type, created_at, data::text as data
    from kernel.events
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id >= ${from}
      and id <> all(${known as string[]}::uuid[])
    order by id`
}

export type ResentEvent = StreamedEvent & {
  readonly deliveryId: string
  readonly attemptNumber: number
  readonly attemptedAt: Date
}

export async function findNewestAttemptTime(
  sql: Sql,
  tenant: Tenant,
): Promise<Date | null | undefined> {
  const [row] = await sql<{ newest: Date | null }[]>`
    select max(latest.attempted_at) as newest
    from kernel.webhook_endpoints endpoint
    cross join lateral (
      select attempted_at
      from kernel.webhook_attempts attempt
      where attempt.business_id = ${tenant.businessId}
        and attempt.environment = endpoint.environment
        and attempt.endpoint_id = endpoint.id
      order by attempted_at desc
      limit 1
    ) as latest
    where endpoint.business_id = ${tenant.businessId}
      and endpoint.environment = ${tenant.environment}`
  return row?.newest
}

// Events that were sent again on request: a requested attempt, or the first one of a delivery
// created later than its event. Retries of the schedule only concern their endpoint.
export async function listResentEvents(
  sql: Sql,
  tenant: Tenant,
  from: Date,
): Promise<ResentEvent[]> {
  return sql<ResentEvent[]>`
    select event.id, event.service, event.type, event.created_at, event.data::text as data,
      attempt.delivery_id, attempt.attempt_number, attempt.attempted_at
    from kernel.webhook_endpoints endpoint
    join kernel.webhook_attempts attempt
      on attempt.business_id = endpoint.business_id
      and attempt.environment = endpoint.environment
      and attempt.endpoint_id = endpoint.id
      and attempt.attempted_at >= ${from}
    join kernel.webhook_deliveries delivery
      on delivery.business_id = attempt.business_id
      and delivery.environment = attempt.environment
      and delivery.id = attempt.delivery_id
    join kernel.events event
      on event.business_id = delivery.business_id
      and event.environment = delivery.environment
      and event.id = delivery.event_id
    where endpoint.business_id = ${tenant.businessId}
      and endpoint.environment = ${tenant.environment}
      and (attempt.is_manual
        or (attempt.attempt_number = 1
          and delivery.created_at > event.created_at + interval '1 second'))
    order by attempt.attempted_at, attempt.delivery_id, attempt.attempt_number`
}
