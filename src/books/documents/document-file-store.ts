import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'

export type KeptFile = {
  readonly content: Uint8Array
  readonly sha256: Uint8Array
}

export async function findDocumentFile(
  sql: Sql | Tx,
  tenant: Tenant,
  documentId: string,
): Promise<KeptFile | undefined> {
  const [row] = await sql<KeptFile[]>`
    select content, sha256
    from books.document_files
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and document_id = ${documentId}`
  return row
}

// False if there already is one: the first one stays.
export async function insertDocumentFile(
  tx: Tx,
  tenant: Tenant,
  file: KeptFile & { readonly documentId: string; readonly createdAt: Date },
): Promise<boolean> {
  const { businessId, environment } = tenant
  const inserted = await tx`
    insert into books.document_files ${tx({ businessId, environment, ...file })}
    on conflict (business_id, environment, document_id) do nothing`
  return inserted.count === 1
}
