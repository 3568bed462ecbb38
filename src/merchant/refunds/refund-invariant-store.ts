// The queries of the invariants of refunds and their approvals. They read all tenants without
// locks.
import type { Sql } from '../../kernel/db/database.ts'
import type { Violation } from '../../kernel/db/invariant.ts'

export async function listMisbookedRefunds(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      refund.business_id, refund.environment, refund.id as refund_id, refund.status,
      count(*) filter (where entry.kind = 'refund.accepted')::integer as accepted_entries,
      count(*) filter (where entry.kind = 'refund.reversed')::integer as reversed_entries
    from merchant.refunds as refund
    left join kernel.ledger_entries as entry
      on entry.business_id = refund.business_id
      and entry.environment = refund.environment
      and entry.source_id = refund.id
    group by refund.business_id, refund.environment, refund.id
    having
      count(*) filter (where entry.kind = 'refund.accepted')
        <> (refund.status in ('accepted', 'settled', 'reversed'))::integer
      or count(*) filter (where entry.kind = 'refund.reversed')
        <> (refund.status = 'reversed')::integer
    order by refund.business_id, refund.environment, refund.id
    limit ${limit}`
}

// In both directions: an approval that executed nothing or something else, and a refund whose
// approval was not given by another person.
export async function listMisapprovedRefunds(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      coalesce(refund.business_id, approval.business_id) as business_id,
      coalesce(refund.environment, approval.environment) as environment,
      refund.id as refund_id,
      approval.id as approval_id
    from (
      select *
      from merchant.approvals
      where operation = 'refund'
        and state = 'approved'
        and executed_at is not null
        and decided_by is distinct from requester_person_id
    ) as approval
    full join (
      select *
      from merchant.refunds
      where approval_id is not null
    ) as refund
      on refund.business_id = approval.business_id
      and refund.environment = approval.environment
      and refund.approval_id = approval.id
      and refund.payment_id = approval.object_id
      and refund.amount_minor = (approval.request ->> 'amountMinor')::bigint
    where refund.id is null
      or approval.id is null
    limit ${limit}`
}

// A requested refund without an approval was, together with the earlier ones, within the threshold
// of its time. Refunds that were reversed since may have counted then, and don't here; those that
// were given up did not count then, even if the provider turned out to have them.
export async function listUnapprovedRefunds(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select business_id, environment, id as refund_id, threshold_minor, total_minor
    from (
      select
        business_id, environment, id, status, approval_id, threshold_minor,
        sum(amount_minor) filter (
          where status not in ('failed', 'reversed') and given_up_at is null
        ) over (
          partition by business_id, environment, payment_id
          order by created_at, id
        ) as total_minor
      from merchant.refunds
      where environment = 'live'
        and cause = 'requested'
    ) as refund
    where approval_id is null
      and status <> 'failed'
      and (threshold_minor is null or total_minor > threshold_minor)
    order by business_id, environment, id
    limit ${limit}`
}
