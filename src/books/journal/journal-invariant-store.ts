// The queries of the invariants of the journal. They read all tenants without locks.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import type { Violation } from '../../kernel/db/invariant.ts'
import type { JournalHead } from './journal-store.ts'

export async function listMisbookedEntries(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select business_id, environment, sequence
    from books.journal_entries as entry
    full join (
      select
        business_id, environment, sequence,
        count(*) as line_count,
        min(position) as position_min,
        max(position) as position_max,
        sum(base_minor) as base_minor,
        min(date) as date_min,
        max(date) as date_max
      from books.journal_lines
      group by business_id, environment, sequence
    ) as booked
      using (business_id, environment, sequence)
    where (
      booked.base_minor, booked.line_count, booked.position_min, booked.position_max,
      booked.date_min, booked.date_max
    ) is distinct from (0, entry.line_count, 1, entry.line_count, entry.date, entry.date)
    order by business_id, environment, sequence
    limit ${limit}`
}

// The exact negative, line by line.
export async function listMisreversedEntries(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select distinct reversal.business_id, reversal.environment, reversal.sequence
    from books.journal_entries as reversal
    left join books.journal_lines as taken_back
      on taken_back.business_id = reversal.business_id
      and taken_back.environment = reversal.environment
      and taken_back.sequence = reversal.sequence
    left join books.journal_entries as original
      on original.business_id = reversal.business_id
      and original.environment = reversal.environment
      and original.sequence = reversal.reverses_sequence
    left join books.journal_lines as line
      on line.business_id = original.business_id
      and line.environment = original.environment
      and line.sequence = original.sequence
      and line.position = taken_back.position
    where reversal.reverses_sequence is not null
      and (
        reversal.line_count is distinct from original.line_count
        or (
          taken_back.account_id, -taken_back.base_minor, taken_back.currency,
          -taken_back.amount_minor, taken_back.contact_id, taken_back.open_item_id
        ) is distinct from (
          line.account_id, line.base_minor, line.currency, line.amount_minor, line.contact_id,
          line.open_item_id
        )
      )
    order by reversal.business_id, reversal.environment, reversal.sequence
    limit ${limit}`
}

export async function listMissummedMonths(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select business_id, environment, month, account_id
    from books.account_months as kept
    full join (
      select
        business_id, environment, date_trunc('month', date)::date as month, account_id,
        sum(base_minor) as base_minor
      from books.journal_lines
      group by business_id, environment, date_trunc('month', date)::date, account_id
    ) as booked
      using (business_id, environment, month, account_id)
    where coalesce(kept.base_minor, 0) <> coalesce(booked.base_minor, 0)
    order by business_id, environment, month, account_id
    limit ${limit}`
}

export async function listMissummedDays(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select business_id, environment, date, account_id
    from books.account_days as kept
    full join (
      select business_id, environment, date, account_id, sum(base_minor) as base_minor
      from books.journal_lines
      group by business_id, environment, date, account_id
    ) as booked
      using (business_id, environment, date, account_id)
    where coalesce(kept.base_minor, 0) <> coalesce(booked.base_minor, 0)
    order by business_id, environment, date, account_id
    limit ${limit}`
}

// The movements of a day sum to zero, so assets equal liabilities and equity at the end of each.
// Only existing accounts count: lines without an account are in no report.
export async function listUnbalancedDays(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select day.business_id, day.environment, day.date
    from books.account_days as day
    inner join books.accounts as account
      on account.business_id = day.business_id
      and account.environment = day.environment
      and account.id = day.account_id
    group by day.business_id, day.environment, day.date
    having sum(day.base_minor) <> 0
    order by day.business_id, day.environment, day.date
    limit ${limit}`
}

// From one to the counter without gaps. The tables themselves ensure uniqueness.
export async function listMiscountedNumbers(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      business_id, environment, kind, period, counter.last_number, given.numbers,
      given.position_min, given.position_max
    from books.number_counters as counter
    full join (
      select
        business_id, environment, kind, number_period as period, count(*) as numbers,
        min(number_position) as position_min, max(number_position) as position_max
      from (
        select business_id, environment, kind, number_period, number_position
        from books.documents
        union all
        select business_id, environment, 'quote', number_period, number_position
        from books.quotes
      ) as numbered
      where number_position is not null
      group by business_id, environment, kind, number_period
    ) as given
      using (business_id, environment, kind, period)
    where (given.position_min, given.position_max, given.numbers)
      is distinct from (1, counter.last_number, counter.last_number)
    order by business_id, environment, kind, period
    limit ${limit}`
}

// A posted document has an entry, and no other document has; the entries of a void one add up to
// zero.
export async function listMispostedDocuments(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select document.business_id, document.environment, document.id as document_id, document.status
    from books.documents as document
    left join (
      select business_id, environment, source_id, bool_or(base_minor <> 0) as is_standing
      from (
        select
          entry.business_id, entry.environment, entry.source_id, line.account_id,
          sum(line.base_minor) as base_minor
        from books.journal_entries as entry
        inner join books.journal_lines as line
          on line.business_id = entry.business_id
          and line.environment = entry.environment
          and line.sequence = entry.sequence
        group by entry.business_id, entry.environment, entry.source_id, line.account_id
      ) as moved
      group by business_id, environment, source_id
    ) as booked
      on booked.business_id = document.business_id
      and booked.environment = document.environment
      and booked.source_id = document.id
    where case
      when document.posted_at is null then booked.source_id is not null
      when document.voided_at is not null then coalesce(booked.is_standing, false)
      else document.total_minor <> 0 and booked.source_id is null
    end
    order by document.business_id, document.environment, document.id
    limit ${limit}`
}

export type TenantHead = Tenant & JournalHead

// The ends of the journals, in the order of their tenants.
export async function listHeads(
  sql: Sql,
  after: Tenant | null,
  limit: number,
): Promise<TenantHead[]> {
  return sql<TenantHead[]>`
    select business_id, environment, sequence, hash
    from books.journal_heads
    ${after ? sql`where (business_id, environment) > (${after.businessId}, ${after.environment})` : sql``}
    order by business_id, environment
    limit ${limit}`
}

// Entries beyond the end of their journal, or in a journal without an end.
export async function listEntriesBeyond(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select entry.business_id, entry.environment, max(entry.sequence) as sequence
    from books.journal_entries as entry
    left join books.journal_heads as head
      on head.business_id = entry.business_id
      and head.environment = entry.environment
    where head.sequence is null
      or entry.sequence > head.sequence
    group by entry.business_id, entry.environment
    order by entry.business_id, entry.environment
    limit ${limit}`
}
