import type { Tenant } from '../basics/tenant.ts'
import type { Sql, Tx } from '../db/database.ts'

export async function insertIdempotencyKey(
  tx: Tx,
  tenant: Tenant,
  row: { operation: string; key: string; objectId: string; createdAt: Date },
): Promise<boolean> {
  const inserted = await tx`
    insert into kernel.idempotency_keys
      (business_id, environment, operation, key, object_id, created_at)
    values
      (${tenant.businessId}, ${tenant.environment}, ${row.operation}, ${row.key},
       ${row.objectId}, ${row.createdAt})
    on conflict (business_id, environment, operation, key) do nothing`
  return inserted.count === 1
}

export async function findIdempotentObject(
  sql: Sql | Tx,
  tenant: Tenant,
  operation: string,
  key: string,
): Promise<string | undefined> {
  const [row] = await sql<{ objectId: string }[]>`
    select object_id
    from kernel.idempotency_keys
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and operation = ${operation}
      and key = ${key}`
  return row?.objectId
}
