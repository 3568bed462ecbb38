// Reads the journal from its start, a number of entries at a time. Posted entries never change and
// the sequence has no gaps, so pages read one after the other are still one journal.
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import type { JournalLine, StoredEntry } from './journal-entry.ts'
import type { JournalHead } from './journal-store.ts'

export async function findHead(sql: Sql, tenant: Tenant): Promise<JournalHead> {
  const [row] = await sql<JournalHead[]>`
    select sequence, hash
    from books.journal_heads
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}`
  return assertDefined(row, 'books without a journal')
}

export async function findFirstDate(sql: Sql, tenant: Tenant): Promise<string | null> {
  const [row] = await sql<{ date: string | null }[]>`
    select min(date) as date
    from books.account_days
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}`
  return row?.date ?? null
}

export async function listCurrencies(sql: Sql, tenant: Tenant): Promise<string[]> {
  const rows = await sql<{ currency: string }[]>`
    select distinct currency
    from books.journal_lines
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    order by currency`
  return rows.map(({ currency }) => currency)
}

type SequencedLine = JournalLine & { readonly sequence: bigint }

// The entries from the first sequence to the last, as far as they exist.
export async function listEntries(
  sql: Sql,
  tenant: Tenant,
  first: bigint,
  last: bigint,
): Promise<StoredEntry[]> {
  const [entries, lines] = await Promise.all([
    sql<Omit<StoredEntry, 'lines'>[]>`
      select
        sequence, id, kind, source_id, reverses_sequence, date, description, posted_by_kind,
        posted_by, posted_at, hash
      from books.journal_entries
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and sequence between ${first} and ${last}
      order by sequence`,
    sql<SequencedLine[]>`
      select
        sequence, account_id, base_minor, currency, amount_minor, contact_id, open_item_id,
        tax_code_id, description
      from books.journal_lines
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and sequence between ${first} and ${last}
      order by sequence, position`,
  ])
  const linesOf = Map.groupBy(lines, ({ sequence }) => sequence)
  return entries.map((entry) => ({ ...entry, lines: linesOf.get(entry.sequence) ?? [] }))
}
