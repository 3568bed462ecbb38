import type { Tenant } from '../basics/tenant.ts'
import type { Sql, Tx } from '../db/database.ts'
import type { Endpoint, NewEndpoint } from './endpoint.ts'

export async function insertEndpoint(
  tx: Tx,
  tenant: Tenant,
  { id, service, url, secretSealed, eventTypes, createdAt }: NewEndpoint,
): Promise<void> {
  await tx`
    insert into kernel.webhook_endpoints
      (business_id, environment, id, service, url, secret_sealed, event_types, state,
       failures_in_row, created_at, state_since, told_since)
    values
      (${tenant.businessId}, ${tenant.environment}, ${id}, ${service}, ${url}, ${secretSealed},
       ${eventTypes as string[] | null}, 'on', 0, ${createdAt}, ${createdAt}, ${createdAt})`
}

export async function listEndpoints(
  sql: Sql,
  tenant: Tenant,
  service: string,
): Promise<Endpoint[]> {
  return sql<Endpoint[]>`
    select ${columns(sql)}
    from kernel.webhook_endpoints
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and service = ${service}
      and state <> 'deleted'
    order by id desc`
}

export async function findEndpointCount(tx: Tx, tenant: Tenant, service: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count
    from kernel.webhook_endpoints
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and service = ${service}
      and state <> 'deleted'`
  return row?.count ?? 0
}

// Also finds a deleted one, since its log is kept.
export async function findEndpoint(
  sql: Sql | Tx,
  tenant: Tenant,
  service: string,
  id: string,
): Promise<Endpoint | undefined> {
  const [row] = await sql<Endpoint[]>`
    select ${columns(sql)}
    from kernel.webhook_endpoints
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and service = ${service}
      and id = ${id}`
  return row
}

// Until the transaction ends, no one else changes it, switches it off or deletes it.
export async function lockEndpoint(
  tx: Tx,
  tenant: Tenant,
  service: string,
  id: string,
): Promise<Endpoint | undefined> {
  const [row] = await tx<Endpoint[]>`
    select ${columns(tx)}
    from kernel.webhook_endpoints
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and service = ${service}
      and id = ${id}
      and state <> 'deleted'
    for update`
  return row
}

export async function updateEndpointSettings(
  tx: Tx,
  tenant: Tenant,
  id: string,
  { url, eventTypes, now }: Pick<Endpoint, 'url' | 'eventTypes'> & { now: Date },
): Promise<void> {
  const types = eventTypes as string[] | null
  await tx`
    update kernel.webhook_endpoints
    set url = ${url},
      event_types = ${types},
      told_since = case
        when event_types is not distinct from ${types}::text[] then told_since
        else ${now}
      end
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

export async function updateEndpointToOn(
  tx: Tx,
  tenant: Tenant,
  id: string,
  now: Date,
): Promise<void> {
  await tx`
    update kernel.webhook_endpoints
    set state = 'on',
      state_since = ${now},
      told_since = ${now},
      failures_in_row = 0
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
      and state = 'off'`
}

// False if there is no such endpoint, or it is already deleted.
export async function updateEndpointToDeleted(
  tx: Tx,
  tenant: Tenant,
  service: string,
  id: string,
  now: Date,
): Promise<boolean> {
  const result = await tx`
    update kernel.webhook_endpoints
    set state = 'deleted',
      state_since = ${now}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and service = ${service}
      and id = ${id}
      and state <> 'deleted'`
  return result.count === 1
}

type UnfinishedEndpoint = Tenant & { readonly id: string; readonly state: 'on' | 'deleted' }

// Of all tenants: deleted endpoints with deliveries in the queue, and endpoints that are on and
// have deliveries on hold.
export async function listUnfinishedEndpoints(
  sql: Sql,
  limit: number,
): Promise<UnfinishedEndpoint[]> {
  return sql<UnfinishedEndpoint[]>`
    select endpoint.business_id, endpoint.environment, endpoint.id, endpoint.state
    from kernel.webhook_endpoints endpoint
    where (
        endpoint.state = 'deleted'
        or (endpoint.state = 'on' and endpoint.state_since > endpoint.created_at)
      )
      and exists (
        select
        from kernel.webhook_queue queue
        where queue.business_id = endpoint.business_id
          and queue.environment = endpoint.environment
          and queue.endpoint_id = endpoint.id
          and (endpoint.state = 'deleted' or queue.run_at = 'infinity')
      )
    limit ${limit}`
}

function columns(sql: Sql | Tx) {
  return sql`id, service, url, event_types, state, state_since, failures_in_row, old_secret_until,
    created_at`
}
