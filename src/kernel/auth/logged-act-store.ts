// The audit log as people read it.
import type { Tenant } from '../basics/tenant.ts'
import type { Sql } from '../db/database.ts'

export type LoggedAct = {
  readonly id: string
  readonly at: Date
  readonly actorKind: 'key' | 'person' | 'system'
  readonly actorId: string
  readonly action: string
  readonly objectKind: string
  readonly objectId: string
  readonly detail: Readonly<Record<string, unknown>>
}

// Everything that was done to some objects, oldest first.
export async function listActsOfObjects(
  sql: Sql,
  tenant: Tenant,
  objectIds: readonly string[],
): Promise<LoggedAct[]> {
  return sql<LoggedAct[]>`
    select id, at, actor_kind, actor_id, action, object_kind, object_id, detail
    from kernel.audit_log
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and object_id = any(${objectIds}::text[])
    order by at, id`
}

export async function findNewestActId(sql: Sql, tenant: Tenant): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id
    from kernel.audit_log
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    order by id desc
    limit 1`
  return row?.id ?? null
}

export type ActFilter = {
  // The id of the last row of the page before.
  readonly before: string | undefined
  // Part of an action, an object's kind or an object's id.
  readonly text: string | undefined
  readonly limit: number
}

// Newest first.
export async function listActs(
  sql: Sql,
  tenant: Tenant,
  { before, text, limit }: ActFilter,
): Promise<(LoggedAct & { readonly isSealed: boolean })[]> {
  const isOlder = before === undefined ? sql`true` : sql`id < ${before}`
  const matches =
    text === undefined
      ? sql`true`
      : sql`(strpos(action, ${text}) > 0 or object_kind = ${text} or object_id = ${text})`
  return sql<(LoggedAct & { readonly isSealed: boolean })[]>`
    select id, at, actor_kind, actor_id, action, object_kind, object_id, detail,
      sequence is not null as is_sealed
    from kernel.audit_log
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and ${isOlder}
      and ${matches}
    order by id desc
    limit ${limit}`
}
