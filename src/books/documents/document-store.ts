// The statements of documents and their lines. The caller has locked the row and writes status,
// amounts and decisions together; nothing here decides.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { listSameContactIds } from '../contacts/merged-contact-store.ts'
import type { Document, DocumentLine, LineTax } from './document.ts'
import type { DocumentSnapshot } from './document-snapshot.ts'

export async function findDocument(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<Document | undefined> {
  const [row] = await sql<Document[]>`
    select ${columns(sql)}
    from books.documents
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row
}

// Everything that changes a document locks it first, before its open item.
export async function lockDocument(
  tx: Tx,
  tenant: Tenant,
  id: string,
): Promise<Document | undefined> {
  const [row] = await tx<Document[]>`
    select ${columns(tx)}
    from books.documents
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
    for update`
  return row
}

// In the order of ids, so that two callers don't deadlock.
export async function lockDocuments(
  tx: Tx,
  tenant: Tenant,
  ids: readonly string[],
): Promise<Document[]> {
  return tx<Document[]>`
    select ${columns(tx)}
    from books.documents
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = any (${[...ids]}::uuid[])
    order by id
    for update`
}

// Credits in the books that name a document.
export async function listCreditsOf(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<Pick<Document, 'number' | 'totalMinor'>[]> {
  return sql<Pick<Document, 'number' | 'totalMinor'>[]>`
    select number, total_minor
    from books.documents
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and credits_document_id = ${id}
      and posted_at is not null
      and voided_at is null
    order by number`
}

// Another document of the contact with the same reference that is not void.
export async function findSameReference(
  sql: Sql | Tx,
  tenant: Tenant,
  document: Pick<Document, 'id' | 'kind' | 'contactId' | 'reference'>,
): Promise<Pick<Document, 'number' | 'date'> | undefined> {
  const [row] = await sql<Pick<Document, 'number' | 'date'>[]>`
    select number, date
    from books.documents
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and contact_id = any (${listSameContactIds(sql, tenant, document.contactId)})
      and kind = ${document.kind}
      and reference = ${document.reference}
      and id <> ${document.id}
      and voided_at is null
    order by date desc, created_at desc
    limit 1`
  return row
}

export type DocumentChanges = Partial<Omit<Document, 'id' | 'kind'>> &
  Pick<Document, 'status' | 'updatedAt' | 'version'> & {
    readonly numberPeriod?: string
    readonly numberPosition?: bigint
    readonly snapshot?: DocumentSnapshot | null
  }

// Writes the given fields of a document that the caller has locked.
export async function updateDocument(
  tx: Tx,
  tenant: Tenant,
  id: string,
  { snapshot, ...changes }: DocumentChanges,
): Promise<void> {
  const row = { ...changes, ...(snapshot && { snapshot: tx.json(snapshot) }) }
  await tx`
    update books.documents
    set ${tx(row)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

// The snapshot from when it was issued.
export async function findSnapshot(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<DocumentSnapshot | null> {
  const [row] = await sql<{ snapshot: DocumentSnapshot | null }[]>`
    select snapshot
    from books.documents
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row?.snapshot ?? null
}

// The last day on which its open amount changed.
export async function findLastMovement(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<string | null> {
  const [row] = await sql<{ date: string | null }[]>`
    select max(date) as date
    from books.journal_lines
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and open_item_id = ${id}`
  return row?.date ?? null
}

type StoredLine = Omit<DocumentLine, 'taxes'> & { readonly taxes: readonly StoredTax[] }
type StoredTax = { readonly name: string; readonly rate: string; readonly tax_minor: string }

export async function listDocumentLines(
  sql: Sql | Tx,
  tenant: Tenant,
  documentId: string,
): Promise<DocumentLine[]> {
  const rows = await sql<StoredLine[]>`
    select
      id, position, item_id, description, quantity, unit_price, discount_pct, account_id,
      tax_code_id, taxes, net_minor, tax_minor, gross_minor
    from books.document_lines
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and document_id = ${documentId}
    order by position`
  return rows.map((row) => ({ ...row, taxes: row.taxes.map(readTax) }))
}

// The lines of a draft are replaced whenever it is edited.
export async function deleteDocumentLines(
  tx: Tx,
  tenant: Tenant,
  documentId: string,
): Promise<void> {
  await tx`
    delete from books.document_lines
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and document_id = ${documentId}`
}

export async function insertDocument(tx: Tx, tenant: Tenant, document: Document): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into books.documents ${tx({ businessId, environment, ...document })}`
}

// All lines in one statement.
export async function insertDocumentLines(
  tx: Tx,
  tenant: Tenant,
  documentId: string,
  lines: readonly DocumentLine[],
): Promise<void> {
  await tx`
    insert into books.document_lines (
      business_id, environment, document_id, position, id, item_id, description, quantity,
      unit_price, discount_pct, account_id, tax_code_id, taxes, net_minor, tax_minor, gross_minor
    )
    select
      ${tenant.businessId}::uuid, ${tenant.environment}, ${documentId}::uuid, position, id, item_id,
      description, quantity, unit_price, discount_pct, account_id, tax_code_id, taxes::jsonb,
      net_minor, tax_minor, gross_minor
    from unnest(
      ${lines.map((line) => line.position)}::integer[],
      ${lines.map((line) => line.id)}::uuid[],
      ${lines.map((line) => line.itemId)}::uuid[],
      ${lines.map((line) => line.description)}::text[],
      ${lines.map((line) => line.quantity)}::numeric[],
      ${lines.map((line) => line.unitPrice)}::numeric[],
      ${lines.map((line) => line.discountPct)}::numeric[],
      ${lines.map((line) => line.accountId)}::uuid[],
      ${lines.map((line) => line.taxCodeId)}::uuid[],
      ${lines.map((line) => JSON.stringify(line.taxes.map(writeTax)))}::text[],
      ${lines.map((line) => line.netMinor)}::bigint[],
      ${lines.map((line) => line.taxMinor)}::bigint[],
      ${lines.map((line) => line.grossMinor)}::bigint[]
    ) as line (
      position, id, item_id, description, quantity, unit_price, discount_pct, account_id,
      tax_code_id, taxes, net_minor, tax_minor, gross_minor
    )`
}

// Amounts inside JSON are text, so that no reader turns them into floats.
function writeTax({ name, rate, taxMinor }: LineTax): StoredTax {
  return { name, rate, tax_minor: taxMinor.toString() }
}

function readTax({ name, rate, tax_minor }: StoredTax): LineTax {
  return { name, rate, taxMinor: BigInt(tax_minor) }
}

function columns(sql: Sql | Tx) {
  return sql`
    id, kind, status, number, contact_id, date, due_date, reference, notes, currency, fx_rate,
    fx_rate_stated, tax_rounding, subtotal_minor, tax_total_minor, total_minor, paid_minor,
    credited_minor, written_off_minor, created_by_kind, created_by, author_person_id, submitted_at,
    approved_at, approved_by, return_reason, posted_at, sent_at, voided_at, created_at, updated_at,
    version, credits_document_id`
}
