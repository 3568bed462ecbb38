// Events as the people of a business see them.
import type { Tenant } from '../basics/tenant.ts'
import type { Sql } from '../db/database.ts'

// How people know the object of an event. Each is null where the event's data does not say.
export type EventSubject = {
  readonly kind: string | null
  readonly number: string | null
  readonly name: string | null
  // As text: any number of digits.
  readonly amountMinor: string | null
  readonly currency: string | null
}

export type ListedEvent = {
  readonly id: string
  readonly service: string
  readonly type: string
  readonly objectId: string
  readonly subject: EventSubject
  readonly createdAt: Date
  // To how many endpoints it goes, and how many have it.
  readonly deliveries: number
  readonly delivered: number
}

export type FoundEvent = Omit<ListedEvent, 'deliveries' | 'delivered'> & {
  // JSON, as the database writes it.
  readonly data: string
}

// The newest first. The counts are read for the page alone.
export async function listEvents(
  sql: Sql,
  tenant: Tenant,
  { type, before, limit }: { type: string | undefined; before: string | undefined; limit: number },
): Promise<ListedEvent[]> {
  return sql<ListedEvent[]>`
    select event.id, event.service, event.type, event.object_id, event.created_at,
      ${subject(sql)}, sent.deliveries, sent.delivered
    from (
      select *
      from kernel.events
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        ${before === undefined ? sql`` : sql`and id < ${before}`}
        ${type === undefined ? sql`` : sql`and type = ${type}`}
      order by id desc
      limit ${limit}
    ) as event
    cross join lateral (
      select count(*)::integer as deliveries,
        (count(*) filter (where exists (
          select
          from kernel.webhook_attempts attempt
          where attempt.business_id = ${tenant.businessId}
            and attempt.environment = delivery.environment
            and attempt.delivery_id = delivery.id
            and attempt.succeeded
        )))::integer as delivered
      from kernel.webhook_deliveries delivery
      where delivery.business_id = ${tenant.businessId}
        and delivery.environment = event.environment
        and delivery.event_id = event.id
    ) as sent
    order by event.id desc`
}

export async function findEvent(
  sql: Sql,
  tenant: Tenant,
  id: string,
): Promise<FoundEvent | undefined> {
  const [row] = await sql<FoundEvent[]>`
    select id, service, type, object_id, created_at, ${subject(sql)}, data::text as data
    from kernel.events
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row
}

function subject(sql: Sql) {
  return sql`
    jsonb_build_object(
      'kind', data ->> 'kind',
      'number', data ->> 'number',
      'name', data ->> 'name',
      'amountMinor', data ->> 'amount',
      'currency', data ->> 'currency'
    ) as subject`
}
