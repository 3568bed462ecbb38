// The queries of the ledger's invariants. They read all tenants without locks. Amounts are returned
// as text, since a sum of bigint is numeric.
import type { Sql } from '../db/database.ts'
import type { Violation } from '../db/invariant.ts'

export async function listUnbalancedEntries(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select business_id, environment, entry_id, currency, sum(amount_minor) as sum_minor
    from kernel.ledger_lines
    group by business_id, environment, entry_id, currency
    having sum(amount_minor) <> 0
    order by business_id, environment, entry_id, currency
    limit ${limit}`
}

export async function listIncompleteEntries(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      entry.business_id,
      entry.environment,
      entry.id as entry_id,
      entry.line_count as lines_expected,
      count(line.entry_id)::integer as lines_found
    from kernel.ledger_entries as entry
    left join kernel.ledger_lines as line
      on line.business_id = entry.business_id
      and line.environment = entry.environment
      and line.entry_id = entry.id
    group by entry.business_id, entry.environment, entry.id
    having count(line.entry_id) <> entry.line_count
    order by entry.business_id, entry.environment, entry.id
    limit ${limit}`
}

// Computed from the stored balances, not from the lines, so that a wrong balance shows here too.
export async function listUnbalancedLedgers(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select business_id, environment, currency, sum(amount_minor) as sum_minor
    from (
      select business_id, environment, currency, balance_minor as amount_minor
      from kernel.ledger_checkpoints
      union all
      select business_id, environment, currency, amount_minor
      from kernel.ledger_tail
    ) as part
    group by business_id, environment, currency
    having sum(amount_minor) <> 0
    order by business_id, environment, currency
    limit ${limit}`
}

export async function listDriftedBalances(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      business_id,
      environment,
      account,
      currency,
      sum(stored_minor) as stored_minor,
      sum(booked_minor) as booked_minor
    from (
      select
        business_id, environment, account, currency,
        balance_minor as stored_minor, 0 as booked_minor
      from kernel.ledger_checkpoints
      union all
      select
        business_id, environment, account, currency,
        amount_minor as stored_minor, 0 as booked_minor
      from kernel.ledger_tail
      union all
      select
        business_id, environment, account, currency,
        0 as stored_minor, amount_minor as booked_minor
      from kernel.ledger_lines
    ) as part
    group by business_id, environment, account, currency
    having sum(stored_minor) <> sum(booked_minor)
    order by business_id, environment, account, currency
    limit ${limit}`
}
