// The queries of the invariants of payouts. They read all tenants without locks. Amounts are
// returned as text, since a sum of bigint is numeric.
import type { Sql } from '../../kernel/db/database.ts'
import type { Violation } from '../../kernel/db/invariant.ts'

// A completed payout is posted once, with its amount. A reversal or late transfer is also posted
// once.
export async function listMisbookedPayouts(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select *
    from (
      select
        coalesce(payout.business_id, booked.business_id) as business_id,
        coalesce(payout.environment, booked.environment) as environment,
        coalesce(payout.id, booked.source_id) as payout_id,
        payout.status,
        payout.contradicted_at,
        case when payout.status = 'completed' then payout.amount_minor else 0 end as due_minor,
        case when payout.contradicted_at is not null then payout.amount_minor else 0 end
          as contradicted_minor,
        coalesce(booked.completed_minor, 0) as completed_minor,
        coalesce(booked.reversed_minor, 0) as reversed_minor,
        coalesce(booked.late_minor, 0) as late_minor
      from merchant.payouts as payout
      full join (
        select
          entry.business_id,
          entry.environment,
          entry.source_id,
          sum(line.amount_minor) filter (
            where entry.kind = 'payout.completed' and line.account = 'merchant:available')
            as completed_minor,
          -sum(line.amount_minor) filter (
            where entry.kind in ('payout.reversed', 'payout.restored')
              and line.account = 'merchant:available')
            as reversed_minor,
          sum(line.amount_minor) filter (
            where entry.kind = 'payout.late' and line.account = 'suspense:unmatched')
            as late_minor
        from kernel.ledger_entries as entry
        join kernel.ledger_lines as line
          on line.business_id = entry.business_id
          and line.environment = entry.environment
          and line.entry_id = entry.id
        where entry.kind in (
          'payout.completed', 'payout.reversed', 'payout.restored', 'payout.late')
        group by entry.business_id, entry.environment, entry.source_id
      ) as booked
        on booked.business_id = payout.business_id
        and booked.environment = payout.environment
        and booked.source_id = payout.id
    ) as compared
    where status is null
      or completed_minor <> due_minor
      or reversed_minor <> case when status = 'completed' then contradicted_minor else 0 end
      or late_minor <> case when status = 'completed' then 0 else contradicted_minor end
    order by business_id, environment, payout_id
    limit ${limit}`
}

// Refunds and reversed charges can overdraw a balance; payouts must not. So payouts and
// reservations are compared with everything that ever came in.
export async function listOverpromisedBalances(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select business_id, environment, currency, sum(amount_minor) as left_minor
    from (
      select line.business_id, line.environment, line.currency, -line.amount_minor as amount_minor
      from kernel.ledger_lines as line
      join kernel.ledger_entries as entry
        on entry.business_id = line.business_id
        and entry.environment = line.environment
        and entry.id = line.entry_id
      where line.account = 'merchant:available'
        and (
          line.amount_minor < 0
          or entry.kind in ('payout.completed', 'provider.separated')
        )
      union all
      select business_id, environment, currency, -amount_minor
      from merchant.payouts
      where status in ('pending', 'processing')
    ) as part
    group by business_id, environment, currency
    having sum(amount_minor) < 0
    order by business_id, environment, currency
    limit ${limit}`
}

export async function listOverdrawnWallets(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select business_id, environment, currency, -sum(amount_minor) as wallet_minor
    from kernel.ledger_lines
    where account = 'merchant:wallet'
    group by business_id, environment, currency
    having sum(amount_minor) > 0
    order by business_id, environment, currency
    limit ${limit}`
}

export async function listKeysWithoutPayout(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select key.business_id, key.environment, key.key, key.object_id
    from kernel.idempotency_keys as key
    left join merchant.payouts as payout
      on payout.business_id = key.business_id
      and payout.environment = key.environment
      and payout.id = key.object_id
    where key.operation = 'payouts'
      and payout.id is null
    order by key.business_id, key.environment, key.key
    limit ${limit}`
}

// A payout is pending while its approval is, continues when it is approved, and is cancelled when
// it ends in any other way.
export async function listMisheldPayouts(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      coalesce(payout.business_id, approval.business_id) as business_id,
      coalesce(payout.environment, approval.environment) as environment,
      payout.id as payout_id,
      payout.status,
      approval.id as approval_id,
      approval.state
    from (
      select *
      from merchant.payouts
      where approval_id is not null
    ) as payout
    full join (
      select *
      from merchant.approvals
      where operation = 'payout'
    ) as approval
      on approval.business_id = payout.business_id
      and approval.environment = payout.environment
      and approval.id = payout.approval_id
      and approval.object_id = payout.id
    where payout.id is null
      or approval.id is null
      or case approval.state
        when 'pending' then payout.status <> 'pending'
        when 'approved' then payout.status not in ('processing', 'completed', 'failed')
        else payout.status <> 'cancelled'
      end
    limit ${limit}`
}

// In both directions: a payout without its event, and an event without its payout.
export async function listMisreportedPayouts(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      coalesce(payout.business_id, event.business_id) as business_id,
      coalesce(payout.environment, event.environment) as environment,
      coalesce(payout.id, event.object_id) as payout_id,
      payout.status,
      count(*) filter (where event.type = 'payout.completed')::integer as completed_events,
      count(*) filter (where event.type = 'payout.failed')::integer as failed_events
    from merchant.payouts as payout
    full join (
      select *
      from kernel.events
      where service = 'merchant'
        and type in ('payout.completed', 'payout.failed')
        -- Made up by a command, in the sandbox, where there are no payouts.
        and not (environment = 'test' and data ? 'example')
    ) as event
      on event.business_id = payout.business_id
      and event.environment = payout.environment
      and event.object_id = payout.id
    group by 1, 2, 3, payout.status
    having
      payout.status is null
      or count(*) filter (where event.type = 'payout.completed')
        <> (payout.status = 'completed')::integer
      or count(*) filter (where event.type = 'payout.failed')
        <> (payout.status = 'failed')::integer
    order by 1, 2, 3
    limit ${limit}`
}

// The provider knows a payout under one reference, and a transfer belongs to one payout (a unique
// index ensures it).
export async function listMisnamedTransfers(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select business_id, environment, id as payout_id, status, sends, provider_transfer_id
    from merchant.payouts
    where (provider_transfer_id is not null and sends = 0)
      or (provider_transfer_id is null
        and status = 'completed'
        and destination_type = 'provider_bank')
    order by business_id, environment, id
    limit ${limit}`
}
