import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'

export async function findDocumentFile(
  sql: Sql | Tx,
  tenant: Tenant,
  documentId: string,
): Promise<Uint8Array | undefined> {
  const [row] = await sql<{ content: Uint8Array }[]>`
    select content
    from books.document_files
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and document_id = ${documentId}`
  return row?.content
}

// The first one stays.
export async function insertDocumentFile(
  sql: Sql | Tx,
  tenant: Tenant,
  file: {
    readonly documentId: string
    readonly content: Uint8Array
    readonly createdAt: Date
  },
): Promise<void> {
  const { businessId, environment } = tenant
  await sql`
    insert into books.document_files ${sql({ businessId, environment, ...file })}
    on conflict (business_id, environment, document_id) do nothing`
}
