// Reads documents: filtered lists in pages, and single documents.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { listSameContactIds } from '../contacts/merged-contact-store.ts'
import type { Document, DocumentLine, DocumentWithLines } from './document.ts'
import type { DocumentKind, DocumentStatus } from './document-status.ts'

export type DocumentFilter = {
  readonly kinds: readonly DocumentKind[]
  readonly status?: DocumentStatus | undefined
  readonly contactId?: string | undefined
  readonly number?: string | undefined
  readonly reference?: string | undefined
  // Document dates, both inclusive.
  readonly from?: string | undefined
  readonly to?: string | undefined
}

// Newest first.
export async function listDocuments(
  sql: Sql | Tx,
  tenant: Tenant,
  filter: DocumentFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<Document[]> {
  return sql<Document[]>`
    select ${columns(sql, tenant)}
    from books.documents as document
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      ${matching(sql, tenant, filter)}
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
      ${matching(sql, tenant, filter)}`
  return row?.count ?? 0
}

function matching(sql: Sql | Tx, tenant: Tenant, filter: DocumentFilter) {
  const { kinds, status, contactId, number, reference, from, to } = filter
  return sql`
    and kind = any (${[...kinds]}::text[])
    ${status ? sql`and status = ${status}` : sql``}
    ${contactId ? sql`and contact_id = any (${listSameContactIds(sql, tenant, contactId)})` : sql``}
    ${number ? sql`and number = ${number}` : sql``}
    ${reference ? sql`and reference = ${reference}` : sql``}
    ${from ? sql`and date >= ${from}` : sql``}
    ${to ? sql`and date <= ${to}` : sql``}`
}

type StoredWhole = Document & { readonly lines: readonly StoredLine[] | null }
type StoredLine = Omit<DocumentLine, 'taxes' | 'netMinor' | 'taxMinor' | 'grossMinor'> & {
  readonly netMinor: string
  readonly taxMinor: string
  readonly grossMinor: string
}

// One statement, so that lines and totals are of the same version. Numbers inside JSON are text,
// never floats.
export async function findWholeDocument(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<DocumentWithLines | undefined> {
  const [row] = await sql<StoredWhole[]>`
    select ${columns(sql, tenant)}, (
      select json_agg(json_build_object(
        'id', line.id, 'position', line.position, 'itemId', line.item_id,
        'description', line.description, 'quantity', line.quantity::text,
        'unitPrice', line.unit_price::text, 'discountPct', line.discount_pct::text,
        'accountId', line.account_id, 'taxCodeId', line.tax_code_id,
        'netMinor', line.net_minor::text, 'taxMinor', line.tax_minor::text,
        'grossMinor', line.gross_minor::text) order by line.position)
      from books.document_lines as line
      where line.business_id = ${tenant.businessId}
        and line.environment = document.environment
        and line.document_id = document.id
    ) as lines
    from books.documents as document
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  if (!row) return undefined
  const { lines, ...document } = row
  return { ...document, lines: (lines ?? []).map(readLine) }
}

function readLine({ netMinor, taxMinor, grossMinor, ...line }: StoredLine) {
  return {
    ...line,
    netMinor: BigInt(netMinor),
    taxMinor: BigInt(taxMinor),
    grossMinor: BigInt(grossMinor),
  }
}

// A draft whose rate no one has entered or reviewed shows the one that it would be posted at now.
function columns(sql: Sql | Tx, tenant: Tenant) {
  return sql`
    id, kind, status, number, contact_id, date, due_date, reference, notes, currency,
    coalesce(
      case when fx_rate_stated or coalesce(submitted_at, posted_at) is not null
        then document.fx_rate end, (
      select known.rate
      from books.exchange_rates as known
      where known.business_id = ${tenant.businessId}
        and known.environment = document.environment
        and known.currency = document.currency
        and known.date <= document.date
      order by known.date desc
      limit 1
    ), document.fx_rate) as fx_rate,
    fx_rate_stated, tax_rounding, subtotal_minor, tax_total_minor, total_minor, paid_minor,
    credited_minor, written_off_minor, created_by_kind, created_by, author_person_id, submitted_at,
    approved_at, approved_by, return_reason, posted_at, sent_at, voided_at, created_at, updated_at,
    version, credits_document_id`
}
