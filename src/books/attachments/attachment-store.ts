import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Fragment } from '../../kernel/db/statement.ts'
import type { Attachment, Owner } from './attachment.ts'

// In the order in which they were added.
export async function listAttachments(
  sql: Sql | Tx,
  tenant: Tenant,
  { documentId, quoteId }: Owner,
): Promise<Attachment[]> {
  return sql<Attachment[]>`
    select ${columns(sql)}
    from books.attachments
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and ${documentId ? sql`document_id = ${documentId}` : sql`quote_id = ${quoteId ?? null}`}
      and removed_at is null
    order by added_at, id`
}

// The files of one person that belong to nothing yet.
export async function listWaitingFiles(
  sql: Sql | Tx,
  tenant: Tenant,
  addedBy: string,
): Promise<Attachment[]> {
  return sql<Attachment[]>`
    select ${columns(sql)}
    from books.attachments
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and added_by = ${addedBy}
      and ${isWaiting(sql)}
    order by added_at, id`
}

// Of all tenants: files that have waited since before this moment.
export async function listAbandonedFiles(
  sql: Sql,
  before: Date,
  limit: number,
): Promise<(Tenant & { id: string })[]> {
  return sql<(Tenant & { id: string })[]>`
    select business_id, environment, id
    from books.attachments
    where ${isWaiting(sql)}
      and added_at < ${before}
    order by added_at
    limit ${limit}`
}

// Gives waiting files to their document. Returns those that still waited.
export async function updateWaitingFilesToOwned(
  tx: Tx,
  tenant: Tenant,
  { documentId, addedBy, ids }: { documentId: string; addedBy: string; ids: readonly string[] },
): Promise<Attachment[]> {
  return tx<Attachment[]>`
    update books.attachments
    set document_id = ${documentId}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = any (${[...ids]}::uuid[])
      and added_by = ${addedBy}
      and ${isWaiting(tx)}
    returning ${columns(tx)}`
}

function isWaiting(sql: Sql | Tx) {
  return sql`document_id is null and quote_id is null and removed_at is null`
}

export async function findAttachment(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<Attachment | undefined> {
  const [row] = await sql<Attachment[]>`
    select ${columns(sql)}
    from books.attachments
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
      and removed_at is null`
  return row
}

export async function findAttachmentContent(
  sql: Sql,
  tenant: Tenant,
  id: string,
): Promise<Buffer | undefined> {
  const [row] = await sql<{ contentSealed: Buffer }[]>`
    select content_sealed
    from books.attachment_contents
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row?.contentSealed
}

export async function insertAttachment(
  tx: Tx,
  tenant: Tenant,
  attachment: Attachment,
  contentSealed: Buffer,
): Promise<void> {
  const { businessId, environment } = tenant
  const { id } = attachment
  await tx`insert into books.attachments ${tx({ businessId, environment, ...attachment })}`
  await tx`
    insert into books.attachment_contents ${tx({ businessId, environment, id, contentSealed })}`
}

// The content goes; that there was a file stays known. False if it was removed before.
export async function updateAttachmentToRemoved(
  tx: Tx,
  tenant: Tenant,
  id: string,
  removedAt: Date,
): Promise<boolean> {
  return removed(tx, tenant, id, removedAt, tx``)
}

// Not if it was saved with its document meanwhile.
export async function updateWaitingFileToRemoved(
  tx: Tx,
  tenant: Tenant,
  id: string,
  removedAt: Date,
): Promise<boolean> {
  return removed(tx, tenant, id, removedAt, tx`and ${isWaiting(tx)}`)
}

async function removed(
  tx: Tx,
  tenant: Tenant,
  id: string,
  removedAt: Date,
  condition: Fragment,
): Promise<boolean> {
  const updated = await tx`
    update books.attachments
    set removed_at = ${removedAt}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
      and removed_at is null
      ${condition}`
  if (updated.count === 0) return false
  await tx`
    delete from books.attachment_contents
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return true
}

function columns(sql: Sql | Tx) {
  return sql`
    id, document_id, quote_id, file_name, content_type, byte_count, sha256, added_by_kind,
    added_by, added_at`
}
