// The lists of documents, filtered and in pages.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Document } from './document.ts'
import type { DocumentKind, DocumentStatus } from './document-status.ts'

export type DocumentFilter = {
  readonly kinds: readonly DocumentKind[]
  readonly status: DocumentStatus | undefined
  readonly contactId: string | undefined
  // Days of the documents, both included.
  readonly from: string | undefined
  readonly to: string | undefined
}

// Newest first.
export async function listDocuments(
  sql: Sql | Tx,
  tenant: Tenant,
  filter: DocumentFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<Document[]> {
  return sql<Document[]>`
    select
      id, kind, status, number, contact_id, date, due_date, reference, notes, currency, fx_rate,
      tax_rounding, subtotal_minor, tax_total_minor, total_minor, paid_minor, credited_minor,
      written_off_minor, created_by_kind, created_by, author_person_id, submitted_at, approved_at,
      approved_by, return_reason, posted_at, sent_at, voided_at, created_at, updated_at, version
    from books.documents
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      ${matching(sql, filter)}
    order by date desc, created_at desc, id desc
    limit ${page.limit}
    offset ${page.offset}`
}

export async function findDocumentCount(
  sql: Sql | Tx,
  tenant: Tenant,
  filter: DocumentFilter,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count
    from books.documents
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      ${matching(sql, filter)}`
  return row?.count ?? 0
}

function matching(sql: Sql | Tx, { kinds, status, contactId, from, to }: DocumentFilter) {
  return sql`
    and kind = any (${[...kinds]}::text[])
    ${status ? sql`and status = ${status}` : sql``}
    ${contactId ? sql`and contact_id = ${contactId}` : sql``}
    ${from ? sql`and date >= ${from}` : sql``}
    ${to ? sql`and date <= ${to}` : sql``}`
}
