import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'

// In minor units of the base currency; undefined for a person without a limit.
export async function findApprovalLimit(
  sql: Sql | Tx,
  tenant: Tenant,
  personId: string,
): Promise<bigint | undefined> {
  const [row] = await sql<{ limitMinor: bigint }[]>`
    select limit_minor
    from books.approval_limits
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and person_id = ${personId}`
  return row?.limitMinor
}

export async function insertApprovalLimit(
  tx: Tx,
  tenant: Tenant,
  limit: {
    readonly personId: string
    readonly limitMinor: bigint
    readonly createdAt: Date
  },
): Promise<void> {
  const { businessId, environment } = tenant
  await tx`
    insert into books.approval_limits ${tx({ businessId, environment, ...limit })}
    on conflict (business_id, environment, person_id)
      do update set limit_minor = excluded.limit_minor, created_at = excluded.created_at`
}

export async function deleteApprovalLimit(tx: Tx, tenant: Tenant, personId: string): Promise<void> {
  await tx`
    delete from books.approval_limits
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and person_id = ${personId}`
}

export async function listApprovalLimits(
  sql: Sql | Tx,
  tenant: Tenant,
): Promise<{ personId: string; limitMinor: bigint }[]> {
  return sql<{ personId: string; limitMinor: bigint }[]>`
    select person_id, limit_minor
    from books.approval_limits
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    order by person_id`
}
