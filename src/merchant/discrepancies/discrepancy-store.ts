import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { RowScope } from '../row-scope.ts'
import type { Discrepancy, NewDiscrepancy } from './discrepancy.ts'

// False if the same fact is already recorded.
export async function insertDiscrepancy(
  tx: Tx,
  tenant: Tenant,
  found: NewDiscrepancy,
): Promise<boolean> {
  const { businessId, environment } = tenant
  const rows = await tx`
    insert into merchant.breaks
      (business_id, environment, id, cause, object_kind, object_id, transaction_id, detail,
       created_at)
    values
      (${businessId}, ${environment}, ${found.id}, ${found.cause}, ${found.objectKind},
       ${found.objectId}, ${found.transactionId ?? ''}, ${tx.json(found.detail)},
       ${found.createdAt})
    on conflict (business_id, environment, cause, object_kind, object_id, transaction_id)
      do nothing
    returning id`
  return rows.length > 0
}

type DiscrepancyKey = Pick<NewDiscrepancy, 'cause' | 'objectKind' | 'objectId' | 'transactionId'>

// False if it was already resolved, or does not exist.
export async function updateDiscrepancyResolved(
  tx: Tx,
  tenant: Tenant,
  { cause, objectKind, objectId, transactionId = '' }: DiscrepancyKey,
  { resolution, resolvedAt }: { readonly resolution: string; readonly resolvedAt: Date },
): Promise<boolean> {
  const rows = await tx`
    update merchant.breaks
    set resolved_at = ${resolvedAt},
      resolution = ${resolution}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and cause = ${cause}
      and object_kind = ${objectKind}
      and object_id = ${objectId}
      and transaction_id = ${transactionId}
      and resolved_at is null
    returning id`
  return rows.length > 0
}

// A resolved discrepancy occurred again.
export async function updateDiscrepancyReopened(
  tx: Tx,
  tenant: Tenant,
  { cause, objectKind, objectId, transactionId = '' }: DiscrepancyKey,
): Promise<void> {
  await tx`
    update merchant.breaks
    set resolved_at = null,
      resolution = null
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and cause = ${cause}
      and object_kind = ${objectKind}
      and object_id = ${objectId}
      and transaction_id = ${transactionId}`
}

// Adds newly seen facts, even to a resolved discrepancy.
export async function updateDiscrepancySeen(
  tx: Tx,
  tenant: Tenant,
  {
    cause,
    objectKind,
    objectId,
    detail,
    transactionId = '',
  }: DiscrepancyKey & Pick<NewDiscrepancy, 'detail'>,
): Promise<void> {
  await tx`
    update merchant.breaks
    set detail = ${tx.json(detail)},
      resolved_at = null,
      resolution = null
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and cause = ${cause}
      and object_kind = ${objectKind}
      and object_id = ${objectId}
      and transaction_id = ${transactionId}`
}

export async function findDiscrepancy(
  sql: Sql | Tx,
  tenant: Tenant,
  { cause, objectKind, objectId, transactionId = '' }: DiscrepancyKey,
): Promise<Discrepancy | undefined> {
  const [row] = await sql<Discrepancy[]>`
    select ${columns(sql)}
    from merchant.breaks
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and cause = ${cause}
      and object_kind = ${objectKind}
      and object_id = ${objectId}
      and transaction_id = ${transactionId}`
  return row
}

// Of a scope, the oldest first.
export async function listDiscrepancies(
  sql: Sql | Tx,
  wanted: RowScope & { readonly isOpen: boolean },
  limit: number,
): Promise<(Tenant & Discrepancy)[]> {
  return sql<(Tenant & Discrepancy)[]>`
    select business_id, environment, ${columns(sql)}
    from merchant.breaks
    where (${wanted.businessId}::uuid is null or business_id = ${wanted.businessId})
      and (${wanted.environment}::text is null or environment = ${wanted.environment})
      and (${!wanted.isOpen} or resolved_at is null)
    order by created_at, id
    limit ${limit}`
}

// The lock serialises two people who resolve it at once.
export async function lockDiscrepancy(
  tx: Tx,
  tenant: Tenant,
  id: string,
): Promise<Discrepancy | undefined> {
  const [row] = await tx<Discrepancy[]>`
    select ${columns(tx)}
    from merchant.breaks
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
    for update`
  return row
}

export type OpenDiscrepancies = {
  readonly cause: string
  readonly count: number
  readonly oldestAt: Date
}

// Of all tenants. Only live ones count.
export async function listOpenDiscrepancyCounts(sql: Sql): Promise<OpenDiscrepancies[]> {
  return sql<OpenDiscrepancies[]>`
    select cause, count(*)::integer as count, min(created_at) as oldest_at
    from merchant.breaks
    where resolved_at is null
      and environment = 'live'
    group by cause
    order by cause`
}

function columns(sql: Sql | Tx) {
  return sql`
    id, cause, object_kind, object_id, transaction_id, detail, created_at, resolved_at, resolution`
}
