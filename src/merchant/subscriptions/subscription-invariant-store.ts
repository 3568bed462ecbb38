// The queries of the invariants of subscriptions. They read all tenants without locks.
import type { Sql } from '../../kernel/db/database.ts'
import type { Violation } from '../../kernel/db/invariant.ts'

// A unique index prevents a second payment; this also finds a period that says otherwise.
export async function listMispaidPeriods(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      period.business_id, period.environment, period.subscription_id, period.number,
      period.paid_at, count(payment.id)::integer as collected
    from merchant.subscription_periods as period
    left join merchant.payments as payment
      on payment.business_id = period.business_id
      and payment.environment = period.environment
      and payment.subscription_id = period.subscription_id
      and payment.subscription_period = period.number
      and payment.succeeded_at is not null
    group by
      period.business_id, period.environment, period.subscription_id, period.number
    having count(payment.id) <> (period.paid_at is not null)::integer
    order by period.business_id, period.environment, period.subscription_id, period.number
    limit ${limit}`
}

// Only the newest period can be unpaid, and the state follows from it.
export async function listMisstatedSubscriptions(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      subscription.business_id, subscription.environment, subscription.id as subscription_id,
      subscription.status, newest.number, newest.paid_at, newest.failures
    from merchant.subscriptions as subscription
    left join merchant.subscription_periods as newest
      on newest.business_id = subscription.business_id
      and newest.environment = subscription.environment
      and newest.subscription_id = subscription.id
      and newest.number = subscription.period
    where newest.number is null
      or (subscription.status = 'incomplete' and (newest.number > 1 or newest.paid_at is not null))
      or (subscription.status = 'active' and newest.paid_at is null and newest.failures > 0)
      or (subscription.status = 'past_due' and (newest.paid_at is not null or newest.failures = 0))
      or exists (
        select
        from merchant.subscription_periods as other
        where other.business_id = subscription.business_id
          and other.environment = subscription.environment
          and other.subscription_id = subscription.id
          and other.number <> subscription.period
          and (other.number > subscription.period or other.paid_at is null))
    order by subscription.business_id, subscription.environment, subscription.id
    limit ${limit}`
}

// The counted failures equal the failed payments that no payer started.
export async function listMiscountedFailures(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      period.business_id, period.environment, period.subscription_id, period.number,
      period.failures, count(payment.id)::integer as failed
    from merchant.subscription_periods as period
    left join (
      select payment.*
      from merchant.payments as payment
      left join kernel.idempotency_keys as used
        on used.business_id = payment.business_id
        and used.environment = payment.environment
        and used.operation = 'checkout'
        and used.object_id = payment.id
      where payment.status = 'failed'
        and payment.subscription_id is not null
        and used.key is null
    ) as payment
      on payment.business_id = period.business_id
      and payment.environment = period.environment
      and payment.subscription_id = period.subscription_id
      and payment.subscription_period = period.number
    group by
      period.business_id, period.environment, period.subscription_id, period.number
    having count(payment.id) <> period.failures
    order by period.business_id, period.environment, period.subscription_id, period.number
    limit ${limit}`
}

export async function listMisnamedEvents(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select payment.business_id, payment.environment, payment.id as payment_id, event.type
    from merchant.payments as payment
    join kernel.events as event
      on event.business_id = payment.business_id
      and event.environment = payment.environment
      and event.object_id = payment.id
      and event.service = 'merchant'
      and event.type in ('payment.succeeded', 'payment.failed')
    where (event.data ->> 'subscription_id') is distinct from payment.subscription_id::text
      or (payment.subscription_id is not null
        and event.data ?| array['payment_link_id', 'qr_code_id'])
    order by payment.business_id, payment.environment, payment.id
    limit ${limit}`
}

// The check of a card owes all that it collected.
export async function listKeptCardChecks(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      payment.business_id, payment.environment, payment.id as payment_id, payment.amount_minor,
      coalesce(sum(refund.amount_minor), 0)::bigint as owed_minor
    from merchant.payments as payment
    left join merchant.refunds as refund
      on refund.business_id = payment.business_id
      and refund.environment = payment.environment
      and refund.payment_id = payment.id
      and refund.cause = 'card_check'
    where payment.card_subscription_id is not null
      or refund.id is not null
    group by payment.business_id, payment.environment, payment.id
    having coalesce(sum(refund.amount_minor), 0) <> case
      when payment.succeeded_at is not null and payment.card_subscription_id is not null
        then payment.amount_minor
      else 0 end
    order by payment.business_id, payment.environment, payment.id
    limit ${limit}`
}
