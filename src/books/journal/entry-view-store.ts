// The journal as people read it: entries with the codes and names of their accounts.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { containing } from '../../kernel/db/contains.ts'
import type { Sql } from '../../kernel/db/database.ts'
import { findShownName } from '../contacts/merged-contact-store.ts'

export type EntryHead = {
  readonly sequence: bigint
  // The fact, for example `invoice.issued`.
  readonly kind: string
  readonly sourceId: string
  readonly reversesSequence: bigint | null
  readonly date: string
  readonly description: string
  readonly postedByKind: string
  readonly postedBy: string
  readonly postedAt: Date
  // The sum of its debits, in the base currency.
  readonly amountMinor: bigint
}

export type EntryFilter = {
  readonly from?: string | undefined
  readonly to?: string | undefined
  // Part of the description.
  readonly search?: string | undefined
  // Entries before this one.
  readonly before?: bigint | undefined
  readonly limit: number
}

// Newest first.
export async function listEntryHeads(
  sql: Sql,
  tenant: Tenant,
  { from, to, search, before, limit }: EntryFilter,
): Promise<EntryHead[]> {
  return sql<EntryHead[]>`
    select ${headColumns(sql, tenant)}
    from books.journal_entries as entry
    where entry.business_id = ${tenant.businessId}
      and entry.environment = ${tenant.environment}
      ${from ? sql`and entry.date >= ${from}` : sql``}
      ${to ? sql`and entry.date <= ${to}` : sql``}
      ${search ? sql`and entry.description ilike ${containing(search)}` : sql``}
      ${before ? sql`and entry.sequence < ${before}` : sql``}
    order by entry.sequence desc
    limit ${limit}`
}

export async function findEntryHead(
  sql: Sql,
  tenant: Tenant,
  sequence: bigint,
): Promise<EntryHead | undefined> {
  const [row] = await sql<EntryHead[]>`
    select ${headColumns(sql, tenant)}
    from books.journal_entries as entry
    where entry.business_id = ${tenant.businessId}
      and entry.environment = ${tenant.environment}
      and entry.sequence = ${sequence}`
  return row
}

// The entry that reverses this one.
export async function findReversal(
  sql: Sql,
  tenant: Tenant,
  sequence: bigint,
): Promise<bigint | null> {
  const [row] = await sql<{ sequence: bigint }[]>`
    select sequence
    from books.journal_entries
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and reverses_sequence = ${sequence}`
  return row?.sequence ?? null
}

export type EntryViewLine = {
  readonly position: number
  readonly accountId: string
  readonly accountCode: string
  readonly accountName: string
  readonly contactName: string | null
  readonly description: string | null
  readonly baseMinor: bigint
  readonly currency: string
  readonly amountMinor: bigint
}

export async function listEntryViewLines(
  sql: Sql,
  tenant: Tenant,
  sequence: bigint,
): Promise<EntryViewLine[]> {
  return sql<EntryViewLine[]>`
    select
      line.position, line.account_id, account.code as account_code, account.name as account_name,
      ${findShownName(sql, tenant)} as contact_name, line.description, line.base_minor,
      line.currency, line.amount_minor
    from books.journal_lines as line
    inner join books.accounts as account
      on account.business_id = ${tenant.businessId}
      and account.environment = ${tenant.environment}
      and account.id = line.account_id
    left join books.contacts as contact
      on contact.business_id = ${tenant.businessId}
      and contact.environment = ${tenant.environment}
      and contact.id = line.contact_id
    where line.business_id = ${tenant.businessId}
      and line.environment = ${tenant.environment}
      and line.sequence = ${sequence}
    order by line.position`
}

function headColumns(sql: Sql, tenant: Tenant) {
  return sql`
    entry.sequence, entry.kind, entry.source_id, entry.reverses_sequence, entry.date,
    entry.description, entry.posted_by_kind, entry.posted_by, entry.posted_at,
    (
      select coalesce(sum(line.base_minor) filter (where line.base_minor > 0), 0)::bigint
      from books.journal_lines as line
      where line.business_id = ${tenant.businessId}
        and line.environment = ${tenant.environment}
        and line.sequence = entry.sequence
    ) as amount_minor`
}
