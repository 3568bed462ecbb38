import type { Tenant } from '../basics/tenant.ts'
import type { Sql } from '../db/database.ts'
import type { ApiRequest, NewApiRequest } from './api-request.ts'

// Of several tenants, in one statement.
export async function insertApiRequests(
  sql: Sql,
  requests: readonly NewApiRequest[],
): Promise<void> {
  const rows = requests.map((request) => ({
    business_id: request.businessId,
    environment: request.environment,
    id: request.id,
    key_id: request.keyId,
    method: request.method,
    path: request.path,
    status: request.status,
    duration_ms: request.durationMs,
    request_id: request.requestId,
    address: request.address,
  }))
  await sql`
    insert into kernel.api_requests
      (business_id, environment, id, key_id, method, path, status, duration_ms,
       request_id, address)
    select business_id, environment, id, key_id, method, path, status, duration_ms,
      request_id, address
    from jsonb_to_recordset(${sql.json(rows)})
      as given (business_id uuid, environment text, id uuid, key_id uuid,
        method text, path text, status integer, duration_ms integer, request_id text,
        address text)`
}

export type ListedApiRequest = ApiRequest & {
  readonly keyName: string | null
  readonly keyHint: string | null
}

export type ApiRequestFilter = {
  readonly method: string | undefined
  // The first digit.
  readonly statusClass: number | undefined
  readonly keyId: string | undefined
  // A part of it.
  readonly path: string | undefined
  readonly requestId: string | undefined
  // Ids, which begin with the time. `below` is exclusive.
  readonly from: string | undefined
  readonly below: string | undefined
}

// The newest first.
export async function listApiRequests(
  sql: Sql,
  tenant: Tenant,
  filter: ApiRequestFilter,
  limit: number,
): Promise<ListedApiRequest[]> {
  const { method, statusClass, keyId, path, requestId, from, below } = filter
  return sql<ListedApiRequest[]>`
    select request.id, request.key_id, request.method, request.path,
      request.status, request.duration_ms, request.request_id, request.address,
      key.name as key_name, key.hint as key_hint
    from (
      select *
      from kernel.api_requests
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        ${below === undefined ? sql`` : sql`and id < ${below}`}
        ${from === undefined ? sql`` : sql`and id >= ${from}`}
        ${keyId === undefined ? sql`` : sql`and key_id = ${keyId}`}
        ${requestId === undefined ? sql`` : sql`and request_id = ${requestId}`}
        ${method === undefined ? sql`` : sql`and method = ${method}`}
        ${statusClass === undefined ? sql`` : sql`and status / 100 = ${statusClass}::integer`}
        ${path === undefined ? sql`` : sql`and position(${path}::text in path) > 0`}
      order by id desc
      limit ${limit}
    ) as request
    left join kernel.api_keys as key
      on key.business_id = ${tenant.businessId}
      and key.id = request.key_id
    order by request.id desc`
}

// The tenants with requests before this one, each found through its own key range.
export async function listTenantsWithOldApiRequests(sql: Sql, below: string): Promise<Tenant[]> {
  return sql<Tenant[]>`
    select business.id as business_id, one.environment
    from kernel.businesses as business
    cross join (values ('live'), ('test')) as one (environment)
    where exists (
      select
      from kernel.api_requests as request
      where request.business_id = business.id
        and request.environment = one.environment
        and request.id < ${below}
    )`
}

// Returns how many were deleted.
export async function deleteApiRequests(
  sql: Sql,
  tenant: Tenant,
  below: string,
  limit: number,
): Promise<number> {
  const { count } = await sql`
    delete from kernel.api_requests
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id in (
        select id
        from kernel.api_requests
        where business_id = ${tenant.businessId}
          and environment = ${tenant.environment}
          and id < ${below}
        limit ${limit}
      )`
  return count
}
