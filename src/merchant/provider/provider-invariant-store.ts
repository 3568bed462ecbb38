import type { Sql } from '../../kernel/db/database.ts'
import type { Violation } from '../../kernel/db/invariant.ts'

// After simulated money was separated from real money, the simulator moves none of it: nothing that
// went to it is open, and nothing of it was booked since.
export async function listSimulatedMoneyMoving(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select moving.business_id, moving.kind, moving.id
    from merchant.live_provider as live
    cross join lateral (
      select business_id, 'payment' as kind, id
      from merchant.payments
      where environment = 'live'
        and provider = 'simulator'
        and status in ('pending', 'processing')
      union all
      select business_id, 'payout', id
      from merchant.payouts
      where environment = 'live'
        and provider = 'simulator'
        and status in ('pending', 'processing')
      union all
      select entry.business_id, entry.kind, payment.id
      from merchant.payments as payment
      join kernel.ledger_entries as entry
        on entry.business_id = payment.business_id
        and entry.environment = payment.environment
        and entry.source_id = payment.id
      where payment.environment = 'live'
        and payment.provider = 'simulator'
        and entry.created_at > live.separated_at
    ) as moving
    join kernel.businesses as business
      on business.id = moving.business_id
    where live.separated_at is not null
      and not business.is_demo
    order by moving.business_id, moving.id
    limit ${limit}`
}
