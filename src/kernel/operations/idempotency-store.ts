import type { Tenant } from '../basics/tenant.ts'
import type { Sql, Tx } from '../db/database.ts'

export type IdempotencyRow = {
  readonly operation: string
  readonly key: string
  readonly objectId: string
  // Hash of the request body; null if bodies are not compared.
  readonly bodyHash: Uint8Array | null
  readonly createdAt: Date
}

export async function insertIdempotencyKey(
  tx: Tx,
  tenant: Tenant,
  row: IdempotencyRow,
): Promise<boolean> {
  const inserted = await tx`
    insert into kernel.idempotency_keys
      (business_id, environment, operation, key, object_id, body_hash, created_at)
    values
      (${tenant.businessId}, ${tenant.environment}, ${row.operation}, ${row.key},
       ${row.objectId}, ${row.bodyHash}, ${row.createdAt})
    on conflict (business_id, environment, operation, key) do nothing`
  return inserted.count === 1
}

export async function findIdempotencyKey(
  sql: Sql | Tx,
  tenant: Tenant,
  operation: string,
  key: string,
): Promise<Pick<IdempotencyRow, 'objectId' | 'bodyHash'> | undefined> {
  const [row] = await sql<Pick<IdempotencyRow, 'objectId' | 'bodyHash'>[]>`
    select object_id, body_hash
    from kernel.idempotency_keys
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and operation = ${operation}
      and key = ${key}`
  return row
}
