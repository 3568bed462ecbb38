import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { DocumentLine } from '../documents/document.ts'
import type { Quote, QuoteStatus } from './quote.ts'

export async function findQuote(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<Quote | undefined> {
  const [row] = await sql<StoredQuote[]>`
    select ${columns(sql)}
    from books.quotes
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row && readQuote(row)
}

export async function findQuoteByPublicId(
  sql: Sql | Tx,
  tenant: Tenant,
  publicId: string,
): Promise<Quote | undefined> {
  const [row] = await sql<StoredQuote[]>`
    select ${columns(sql)}
    from books.quotes
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and public_id = ${publicId}`
  return row && readQuote(row)
}

export async function lockQuote(tx: Tx, tenant: Tenant, id: string): Promise<Quote | undefined> {
  const [row] = await tx<StoredQuote[]>`
    select ${columns(tx)}
    from books.quotes
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
    for update`
  return row && readQuote(row)
}

// Chosen quotes, in any order.
export async function listQuotesByIds(
  sql: Sql | Tx,
  tenant: Tenant,
  ids: readonly string[],
): Promise<Quote[]> {
  const rows = await sql<StoredQuote[]>`
    select ${columns(sql)}
    from books.quotes
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = any (${[...ids]}::uuid[])`
  return rows.map(readQuote)
}

// Newest first.
export async function listQuotes(
  sql: Sql | Tx,
  tenant: Tenant,
  status: QuoteStatus | undefined,
  limit: number,
): Promise<Quote[]> {
  const rows = await sql<StoredQuote[]>`
    select ${columns(sql)}
    from books.quotes
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      ${status ? sql`and status = ${status}` : sql``}
    order by date desc, created_at desc, id desc
    limit ${limit}`
  return rows.map(readQuote)
}

// Of all tenants: sent quotes whose last day is before this one.
export async function listQuotesPastExpiry(
  sql: Sql,
  day: string,
  limit: number,
): Promise<(Tenant & { id: string; expiryDate: string })[]> {
  return sql<(Tenant & { id: string; expiryDate: string })[]>`
    select business_id, environment, id, expiry_date
    from books.quotes
    where status = 'sent'
      and expiry_date < ${day}
    order by expiry_date
    limit ${limit}`
}

export async function insertQuote(tx: Tx, tenant: Tenant, quote: Quote): Promise<void> {
  const { businessId, environment } = tenant
  const { lines, snapshot, ...fields } = quote
  await tx`
    insert into books.quotes
      ${tx({ businessId, environment, ...fields, ...json(tx, { lines, snapshot }) })}`
}

// Writes a quote that the caller has locked.
export async function updateQuote(
  tx: Tx,
  tenant: Tenant,
  { id, lines, snapshot, ...fields }: Quote & { numberPeriod?: string; numberPosition?: bigint },
): Promise<void> {
  await tx`
    update books.quotes
    set ${tx({ ...fields, ...json(tx, { lines, snapshot }) })}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

type StoredLine = Omit<DocumentLine, 'taxes' | AmountName> & {
  readonly taxes: readonly { name: string; rate: string; taxMinor: string }[]
} & Readonly<Record<AmountName, string>>
type AmountName = 'netMinor' | 'taxMinor' | 'grossMinor'
type StoredQuote = Omit<Quote, 'lines'> & { readonly lines: readonly StoredLine[] }

// Amounts inside JSON are text, so that no reader turns them into floats.
function json(tx: Tx, { lines, snapshot }: Pick<Quote, 'lines' | 'snapshot'>) {
  const stored: StoredLine[] = lines.map((line) => ({
    ...line,
    taxes: line.taxes.map((tax) => ({ ...tax, taxMinor: tax.taxMinor.toString() })),
    netMinor: line.netMinor.toString(),
    taxMinor: line.taxMinor.toString(),
    grossMinor: line.grossMinor.toString(),
  }))
  return {
    lines: tx.json(stored),
    snapshot: snapshot && tx.json(snapshot),
  }
}

function readQuote(row: StoredQuote): Quote {
  return {
    ...row,
    lines: row.lines.map((line) => ({
      ...line,
      taxes: line.taxes.map((tax) => ({ ...tax, taxMinor: BigInt(tax.taxMinor) })),
      netMinor: BigInt(line.netMinor),
      taxMinor: BigInt(line.taxMinor),
      grossMinor: BigInt(line.grossMinor),
    })),
  }
}

function columns(sql: Sql | Tx) {
  return sql`
    id, status, number, version, public_id, contact_id, lead_id, date, expiry_date, reference,
    notes, currency, tax_rounding, subtotal_minor, tax_total_minor, total_minor, lines, snapshot,
    sent_at, decided_at, decided_by_name, decline_reason, invoice_id, created_by_kind, created_by,
    author_person_id, created_at, updated_at`
}
