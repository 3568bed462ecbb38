// The lines of an account between two entries. Entry ids sort by time.
import type { Tenant } from '../basics/tenant.ts'
import type { Sql } from '../db/database.ts'
import type { AccountInCurrency, BookedLine } from './ledger-store.ts'

export type LineRange = {
  // Neither is part of the range. Without a beginning, from the first entry on.
  readonly afterEntryId: string | undefined
  readonly beforeEntryId: string
}

// Newest first.
export async function listLinesBetween(
  sql: Sql,
  tenant: Tenant,
  { account, currency }: AccountInCurrency,
  { afterEntryId, beforeEntryId }: LineRange,
  limit: number,
): Promise<readonly BookedLine[]> {
  return await sql<BookedLine[]>`
    select
      line.account, line.currency, line.entry_id, line.position, line.amount_minor,
      entry.kind, entry.source_id, entry.description, entry.created_at
    from kernel.ledger_lines as line
    join kernel.ledger_entries as entry
      on entry.business_id = line.business_id
      and entry.environment = line.environment
      and entry.id = line.entry_id
    where line.business_id = ${tenant.businessId}
      and line.environment = ${tenant.environment}
      and line.account = ${account}
      and line.currency = ${currency}
      and line.entry_id < ${beforeEntryId}
      ${afterEntryId ? sql`and line.entry_id > ${afterEntryId}` : sql``}
    order by line.entry_id desc, line.position desc
    limit ${limit}`
}

export type KindTotal = {
  readonly kind: string
  readonly count: number
  readonly amountMinor: bigint
}

// The sums of the same lines, by the kind of their entry.
export async function listKindTotalsBetween(
  sql: Sql,
  tenant: Tenant,
  { account, currency }: AccountInCurrency,
  { afterEntryId, beforeEntryId }: LineRange,
): Promise<readonly KindTotal[]> {
  return await sql<KindTotal[]>`
    select entry.kind, count(*)::integer as count, sum(line.amount_minor)::bigint as amount_minor
    from kernel.ledger_lines as line
    join kernel.ledger_entries as entry
      on entry.business_id = line.business_id
      and entry.environment = line.environment
      and entry.id = line.entry_id
    where line.business_id = ${tenant.businessId}
      and line.environment = ${tenant.environment}
      and line.account = ${account}
      and line.currency = ${currency}
      and line.entry_id < ${beforeEntryId}
      ${afterEntryId ? sql`and line.entry_id > ${afterEntryId}` : sql``}
    group by entry.kind
    order by entry.kind`
}
