// The queries of the invariants of payments and refunds. They read all tenants without locks.
// Amounts are returned as text, since a sum of bigint is numeric.
import type { Sql } from '../kernel/db/database.ts'
import type { Violation } from '../kernel/db/invariant.ts'

export async function listWrongRefundTotals(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      payment.business_id, payment.environment, payment.id as payment_id,
      payment.refunded_minor, coalesce(sum(refund.amount_minor), 0) as executed_minor
    from merchant.payments as payment
    left join merchant.refunds as refund
      on refund.business_id = payment.business_id
      and refund.environment = payment.environment
      and refund.payment_id = payment.id
      and refund.cause in ('requested', 'card_check')
      and refund.status in ('accepted', 'settled')
    group by payment.business_id, payment.environment, payment.id
    having payment.refunded_minor <> coalesce(sum(refund.amount_minor), 0)
    order by payment.business_id, payment.environment, payment.id
    limit ${limit}`
}

export async function listMisheldCodes(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select code.business_id, code.environment, code.id as qr_code_id, code.state, payment.status
    from merchant.qr_codes as code
    left join merchant.payments as payment
      on payment.business_id = code.business_id
      and payment.environment = code.environment
      and payment.id = code.reserved_by
    where code.single_use
      and (
        (code.state = 'used' and payment.succeeded_at is null)
        or (code.state = 'active' and code.reserved_by is not null
          and coalesce(payment.status, '') not in ('pending', 'processing'))
      )
    order by code.business_id, code.environment, code.id
    limit ${limit}`
}

export async function listMisreportedPayments(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      payment.business_id, payment.environment, payment.id as payment_id, payment.status,
      count(*) filter (where event.type = 'payment.succeeded')::integer as succeeded_events,
      count(*) filter (where event.type = 'payment.failed')::integer as failed_events
    from merchant.payments as payment
    left join kernel.events as event
      on event.business_id = payment.business_id
      and event.environment = payment.environment
      and event.object_id = payment.id
      and event.service = 'merchant'
    group by payment.business_id, payment.environment, payment.id
    having
      count(*) filter (where event.type = 'payment.succeeded')
        <> (payment.succeeded_at is not null)::integer
      or count(*) filter (where event.type = 'payment.failed')
        <> (payment.status = 'failed')::integer
    order by payment.business_id, payment.environment, payment.id
    limit ${limit}`
}

export async function listMisreportedRefunds(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select *
    from (
      select
        payment.business_id,
        payment.environment,
        payment.id as payment_id,
        (
          select count(*)::integer
          from merchant.refunds as refund
          where refund.business_id = payment.business_id
            and refund.environment = payment.environment
            and refund.payment_id = payment.id
            and refund.cause in ('requested', 'card_check')
            and refund.status in ('accepted', 'settled', 'reversed')
        ) as executed,
        (
          select count(*)::integer
          from kernel.events as event
          where event.business_id = payment.business_id
            and event.environment = payment.environment
            and event.object_id = payment.id
            and event.type = 'payment.refunded'
        ) as reported
      from merchant.payments as payment
    ) as counts
    where executed <> reported
    order by business_id, environment, payment_id
    limit ${limit}`
}

// The collection time and the status must agree on whether a payment was collected.
export async function listMisstatedPayments(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      business_id, environment, id as payment_id, status, succeeded_at, refunded_minor
    from merchant.payments
    where (succeeded_at is not null)
        <> (status in ('succeeded', 'partially_refunded', 'refunded'))
      or (refunded_minor > 0)
        <> (status in ('partially_refunded', 'refunded'))
    order by business_id, environment, id
    limit ${limit}`
}

// Events are counted per payment. These have no payment.
export async function listEventsWithoutPayment(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select event.business_id, event.environment, event.id as event_id, event.object_id
    from kernel.events as event
    left join merchant.payments as payment
      on payment.business_id = event.business_id
      and payment.environment = event.environment
      and payment.id = event.object_id
    where event.service = 'merchant'
      and event.type in ('payment.succeeded', 'payment.failed', 'payment.refunded')
      and payment.id is null
    order by event.business_id, event.environment, event.id
    limit ${limit}`
}

export async function listUnbookedPayments(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      payment.business_id, payment.environment, payment.id as payment_id,
      payment.fee_minor, booked.fee_minor as booked_fee_minor,
      payment.net_minor, booked.net_minor as booked_net_minor,
      payment.split_minor, booked.split_minor as booked_split_minor
    from merchant.payments as payment
    left join (
      select
        entry.business_id,
        entry.environment,
        entry.source_id,
        -coalesce(sum(line.amount_minor) filter (where line.account = 'platform:fees'), 0)
          as fee_minor,
        -coalesce(sum(line.amount_minor) filter (
          where line.account in ('merchant:pending', 'recipients:owed')), 0) as net_minor,
        -coalesce(sum(line.amount_minor) filter (where line.account = 'recipients:owed'), 0)
          as split_minor
      from kernel.ledger_entries as entry
      join kernel.ledger_lines as line
        on line.business_id = entry.business_id
        and line.environment = entry.environment
        and line.entry_id = entry.id
      where entry.kind = 'charge.succeeded'
      group by entry.business_id, entry.environment, entry.source_id
    ) as booked
      on booked.business_id = payment.business_id
      and booked.environment = payment.environment
      and booked.source_id = payment.id
    where booked.fee_minor is distinct from payment.fee_minor
      or booked.net_minor is distinct from payment.net_minor
      or (booked.source_id is not null
        and booked.split_minor <> coalesce(payment.split_minor, 0))
    order by payment.business_id, payment.environment, payment.id
    limit ${limit}`
}

export async function listUnbookedSettlements(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select payment.business_id, payment.environment, payment.id as payment_id
    from merchant.payments as payment
    left join kernel.ledger_entries as entry
      on entry.business_id = payment.business_id
      and entry.environment = payment.environment
      and entry.source_id = payment.id
    where payment.succeeded_at is not null
    group by payment.business_id, payment.environment, payment.id
    having (payment.settled_at is not null)
      <> (
        count(*) filter (where entry.kind = 'charge.settled') = 1
        and count(*) filter (where entry.kind like 'charge.reversed%')
          = count(*) filter (where entry.kind like 'charge.restored%')
      )
    order by payment.business_id, payment.environment, payment.id
    limit ${limit}`
}

export async function listMisbookedCharges(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      charge.business_id, charge.environment, charge.id as unmatched_charge_id,
      charge.amount_minor, coalesce(-sum(line.amount_minor), 0) as booked_minor
    from merchant.unmatched_charges as charge
    left join kernel.ledger_entries as entry
      on entry.business_id = charge.business_id
      and entry.environment = charge.environment
      and entry.source_id = charge.id
      and entry.kind in ('charge.unmatched', 'charge.late', 'charge.repeated')
    left join kernel.ledger_lines as line
      on line.business_id = entry.business_id
      and line.environment = entry.environment
      and line.entry_id = entry.id
      and line.account = 'suspense:unmatched'
      and line.currency = charge.currency
    group by charge.business_id, charge.environment, charge.id
    having coalesce(charge.amount_minor, 0) <> coalesce(-sum(line.amount_minor), 0)
    order by charge.business_id, charge.environment, charge.id
    limit ${limit}`
}
