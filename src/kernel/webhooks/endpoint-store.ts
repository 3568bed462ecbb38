import type { Tenant } from '../basics/tenant.ts'
import type { Sql, Tx } from '../db/database.ts'
import type { Endpoint } from './endpoint.ts'

export async function insertEndpoint(
  tx: Tx,
  tenant: Tenant,
  endpoint: Endpoint & { secretSealed: Buffer },
): Promise<void> {
  await tx`
    insert into kernel.webhook_endpoints
      (business_id, environment, id, service, url, secret_sealed, event_types, state,
       failures_in_row, created_at, state_since)
    values
      (${tenant.businessId}, ${tenant.environment}, ${endpoint.id}, ${endpoint.service},
       ${endpoint.url}, ${endpoint.secretSealed}, ${endpoint.eventTypes as string[] | null},
       ${endpoint.state}, 0, ${endpoint.createdAt}, ${endpoint.createdAt})`
}

export async function listEndpoints(
  sql: Sql,
  tenant: Tenant,
  service: string,
): Promise<Endpoint[]> {
  return sql<Endpoint[]>`
    select id, service, url, event_types, state, created_at
    from kernel.webhook_endpoints
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and service = ${service}
      and state <> 'deleted'
    order by id desc`
}

// Also one that was deleted: its log is kept.
export async function findEndpoint(
  sql: Sql | Tx,
  tenant: Tenant,
  service: string,
  id: string,
): Promise<Endpoint | undefined> {
  const [row] = await sql<Endpoint[]>`
    select id, service, url, event_types, state, created_at
    from kernel.webhook_endpoints
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and service = ${service}
      and id = ${id}`
  return row
}

// False when there is none, or it was deleted before.
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

type SealedOfEndpoint = Tenant & { readonly id: string; readonly sealed: Buffer }

export async function listOutdatedEndpointSecrets(
  sql: Sql,
  version: number,
  limit: number,
): Promise<SealedOfEndpoint[]> {
  return sql<SealedOfEndpoint[]>`
    select business_id, environment, id, secret_sealed as sealed
    from kernel.webhook_endpoints
    where get_byte(secret_sealed, 0) <> ${version}
    limit ${limit}`
}

export async function updateEndpointSecret(
  sql: Sql,
  { businessId, environment, id, sealed }: SealedOfEndpoint,
  resealed: Buffer,
): Promise<void> {
  await sql`
    update kernel.webhook_endpoints
    set secret_sealed = ${resealed}
    where business_id = ${businessId}
      and environment = ${environment}
      and id = ${id}
      and secret_sealed = ${sealed}`
}
