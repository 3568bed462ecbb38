// One key, one object: what the idempotency keys of links and checkouts must name. The queries read
// all tenants without locks.
import type { Sql } from '../kernel/db/database.ts'
import type { Violation } from '../kernel/db/invariant.ts'

export async function listKeysWithoutLink(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select used.business_id, used.environment, used.key, used.object_id
    from kernel.idempotency_keys as used
    left join merchant.payment_links as link
      on link.business_id = used.business_id
      and link.environment = used.environment
      and link.id = used.object_id
    where used.operation = 'payment_links'
      and link.id is null
    order by used.business_id, used.environment, used.key
    limit ${limit}`
}

// A held refund has only an approval until a second person decides.
export async function listKeysWithoutRefund(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select used.business_id, used.environment, used.key, used.object_id
    from kernel.idempotency_keys as used
    left join merchant.refunds as refund
      on refund.business_id = used.business_id
      and refund.environment = used.environment
      and refund.id = used.object_id
    left join merchant.approvals as approval
      on approval.business_id = used.business_id
      and approval.environment = used.environment
      and approval.id = used.object_id
      and approval.operation = 'refund'
    where used.operation = 'refunds'
      and refund.id is null
      and approval.id is null
    order by used.business_id, used.environment, used.key
    limit ${limit}`
}

// The key of a checkout starts with the object that is paid. Every payment that a payer started has
// one; only renewals of a subscription and charges of a recurring schedule have none.
export async function listMiskeyedCheckouts(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      coalesce(used.business_id, payment.business_id) as business_id,
      coalesce(used.environment, payment.environment) as environment,
      used.key, payment.id as payment_id
    from (
      select *
      from kernel.idempotency_keys
      where operation = 'checkout'
    ) as used
    full join merchant.payments as payment
      on payment.business_id = used.business_id
      and payment.environment = used.environment
      and payment.id = used.object_id
    left join merchant.schedule_charges as charge
      on charge.business_id = payment.business_id
      and charge.environment = payment.environment
      and charge.payment_id = payment.id
    where (used.key is null and payment.subscription_id is null and charge.payment_id is null)
      or (used.key is not null and charge.payment_id is not null)
      or (used.key is not null and split_part(used.key, ':', 1) is distinct from coalesce(
        payment.payment_link_id, payment.qr_code_id, payment.subscription_id,
        payment.invoice_id, payment.card_subscription_id)::text)
    limit ${limit}`
}

export async function listOverusedCodes(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      code.business_id, code.environment, code.id as qr_code_id, count(*)::integer as payments
    from merchant.qr_codes as code
    join merchant.payments as payment
      on payment.business_id = code.business_id
      and payment.environment = code.environment
      and payment.qr_code_id = code.id
      and payment.status not in ('failed', 'cancelled')
    where code.single_use
    group by code.business_id, code.environment, code.id
    having count(*) > 1
    order by code.business_id, code.environment, code.id
    limit ${limit}`
}
