import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Document } from './document.ts'

// Rows from before the dossier have no content and are not part of one.
export async function listDocuments(sql: Sql | Tx, tenant: Tenant): Promise<Document[]> {
  return sql<Document[]>`
    select id, kind, file_name, content_type, byte_count, sha256, submitted_at
    from merchant.verification_documents
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and sha256 is not null
      and removed_at is null
    order by uploaded_at, id`
}

export async function insertDocument(
  tx: Tx,
  tenant: Tenant,
  document: Document & { uploadedAt: Date },
  contentSealed: Buffer,
): Promise<void> {
  const { businessId, environment } = tenant
  const documentId = document.id
  await tx`
    insert into merchant.verification_documents ${tx({ businessId, environment, ...document })}`
  await tx`
    insert into merchant.verification_document_contents
      ${tx({ businessId, documentId, contentSealed })}`
}

export async function findContent(
  sql: Sql | Tx,
  businessId: string,
  documentId: string,
): Promise<Buffer | undefined> {
  const [row] = await sql<{ contentSealed: Buffer }[]>`
    select content_sealed
    from merchant.verification_document_contents
    where business_id = ${businessId}
      and document_id = ${documentId}`
  return row?.contentSealed
}

// With its content, if it was not submitted yet.
export async function deleteDraft(tx: Tx, tenant: Tenant, id: string): Promise<void> {
  await tx`
    delete from merchant.verification_documents
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
      and submitted_at is null`
}

export async function updateRemoved(
  tx: Tx,
  tenant: Tenant,
  id: string,
  removedAt: Date,
): Promise<void> {
  await tx`
    update merchant.verification_documents
    set removed_at = ${removedAt}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

export async function updateSubmitted(tx: Tx, tenant: Tenant, submittedAt: Date): Promise<void> {
  await tx`
    update merchant.verification_documents
    set submitted_at = ${submittedAt}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and submitted_at is null`
}
