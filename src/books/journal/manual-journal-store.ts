// Manual journals, and whether they were reversed.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'

export type ListedJournal = {
  // The source of its entry.
  readonly id: string
  readonly sequence: bigint
  readonly kind: 'journal.posted' | 'opening.posted'
  readonly date: string
  readonly description: string
  readonly postedByKind: string
  readonly postedBy: string
  readonly postedAt: Date
  // The day of its reversal; null if it is not reversed.
  readonly reversedOn: string | null
}

export type JournalPeriod = { readonly from?: string | undefined; readonly to?: string | undefined }

export async function listManualJournals(
  sql: Sql,
  tenant: Tenant,
  { from, to }: JournalPeriod,
  limit: number,
): Promise<ListedJournal[]> {
  return sql<ListedJournal[]>`
    ${manualJournals(sql, tenant)}
      ${from ? sql`and entry.date >= ${from}` : sql``}
      ${to ? sql`and entry.date <= ${to}` : sql``}
    order by entry.date desc, entry.sequence desc
    limit ${limit}`
}

export async function findManualJournal(
  sql: Sql,
  tenant: Tenant,
  id: string,
): Promise<ListedJournal | undefined> {
  const [row] = await sql<ListedJournal[]>`
    ${manualJournals(sql, tenant)}
      and entry.source_id = ${id}`
  return row
}

function manualJournals(sql: Sql, tenant: Tenant) {
  return sql`
    select
      entry.source_id as id, entry.sequence, entry.kind, entry.date, entry.description,
      entry.posted_by_kind, entry.posted_by, entry.posted_at, reversal.date as reversed_on
    from books.journal_entries as entry
    left join books.journal_entries as reversal
      on reversal.business_id = entry.business_id
      and reversal.environment = entry.environment
      and reversal.reverses_sequence = entry.sequence
    where entry.business_id = ${tenant.businessId}
      and entry.environment = ${tenant.environment}
      and entry.kind in ('journal.posted', 'opening.posted')`
}
