// The queries of the invariants of payout approvals. They read all tenants without locks. Amounts
// are returned as text, since a sum of bigint is numeric.
import type { Sql } from '../../kernel/db/database.ts'
import type { Violation } from '../../kernel/db/invariant.ts'

// A held payout continued only after another person's approval. Others were within the threshold of
// the business, or else the operator's default. A threshold that was set later does not count.
// Thresholds are never removed, so if there is none now, there was none then.
export async function listMisapprovedPayouts(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select payout.business_id, payout.environment, payout.id as payout_id, payout.approval_id
    from merchant.payouts as payout
    left join merchant.approvals as approval
      on approval.business_id = payout.business_id
      and approval.environment = payout.environment
      and approval.id = payout.approval_id
    left join merchant.approval_thresholds as own
      on own.business_id = payout.business_id
      and own.operation = 'payout'
      and own.currency = payout.currency
    left join merchant.default_thresholds as operators
      on operators.operation = 'payout'
      and operators.currency = payout.currency
    cross join lateral (
      select
        coalesce(own.amount_minor, operators.amount_minor) as amount_minor,
        case when own.amount_minor is null then operators.updated_at else own.updated_at end
          as updated_at
    ) as threshold
    where payout.status in ('processing', 'completed', 'failed')
      and case
        when payout.approval_id is null then threshold.amount_minor is null
          or (payout.amount_minor > threshold.amount_minor
            and threshold.updated_at < payout.created_at)
        else approval.executed_at is null
          or approval.decided_by is not distinct from approval.requester_person_id
          or (approval.request ->> 'amountMinor')::bigint is distinct from payout.amount_minor
      end
    order by payout.business_id, payout.environment, payout.id
    limit ${limit}`
}

// The unapproved payouts of a day are together within the limit that let the last of them through.
// Held ones also counted then, so there may be less; those that failed since counted then, and
// don't here.
export async function listUnapprovedDailyPayouts(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      business_id, environment, currency, (created_at at time zone 'UTC')::date::text as day,
      sum(amount_minor) as total_minor, max(daily_limit_minor) as limit_minor
    from merchant.payouts
    where approval_id is null
      and daily_limit_minor is not null
      and status not in ('failed', 'cancelled')
    group by 1, 2, 3, 4
    having sum(amount_minor) > max(daily_limit_minor)
    order by 1, 2, 3, 4
    limit ${limit}`
}
