// The query of the invariant of settlements. It reads all tenants without locks.
import type { Sql } from '../../kernel/db/database.ts'
import type { Violation } from '../../kernel/db/invariant.ts'

// What settlements show as credited in a currency (`net_settled`), less the refunds of unsettled
// payments, equals what charges and refunds made available in the ledger, without reversed charges.
export async function listMisstatedSettlements(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      business_id, environment, currency,
      shown.available_minor as shown_minor, booked.available_minor as booked_minor
    from (
      select
        business_id, environment, currency,
        coalesce(
          sum(net_minor - coalesce(split_minor, 0)) filter (where settled_at is not null), 0
        ) - sum(refunded_minor) as available_minor
      from merchant.payments
      group by business_id, environment, currency
    ) as shown
    full join (
      select
        entry.business_id, entry.environment, line.currency,
        -sum(line.amount_minor) as available_minor
      from kernel.ledger_entries as entry
      join kernel.ledger_lines as line
        on line.business_id = entry.business_id
        and line.environment = entry.environment
        and line.entry_id = entry.id
      where (entry.kind like 'charge.%' or entry.kind like 'refund.%')
        and line.account = 'merchant:available'
      group by entry.business_id, entry.environment, line.currency
    ) as booked
      using (business_id, environment, currency)
    where coalesce(shown.available_minor, 0) <> coalesce(booked.available_minor, 0)
    order by business_id, environment, currency
    limit ${limit}`
}
