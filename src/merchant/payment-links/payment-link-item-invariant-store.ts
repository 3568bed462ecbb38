// The queries of the invariants of items. They read all tenants without locks.
import type { Sql } from '../../kernel/db/database.ts'
import type { Violation } from '../../kernel/db/invariant.ts'

export async function listMiscountedItems(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      item.business_id, item.environment, item.payment_link_id, item.id as item_id,
      item.sold, item.reserved,
      coalesce(sum(line.quantity) filter (where payment.succeeded_at is not null), 0)
        as ordered_sold,
      coalesce(sum(line.quantity) filter (where payment.status in ('pending', 'processing')), 0)
        as ordered_reserved
    from merchant.payment_link_items as item
    left join merchant.payment_items as line
      on line.business_id = item.business_id
      and line.environment = item.environment
      and line.payment_link_id = item.payment_link_id
      and line.item_id = item.id
    left join merchant.payments as payment
      on payment.business_id = line.business_id
      and payment.environment = line.environment
      and payment.id = line.payment_id
    group by item.business_id, item.environment, item.payment_link_id, item.id
    having
      item.sold
        <> coalesce(sum(line.quantity) filter (where payment.succeeded_at is not null), 0)
      or item.reserved
        <> coalesce(sum(line.quantity)
          filter (where payment.status in ('pending', 'processing')), 0)
    order by item.business_id, item.environment, item.id
    limit ${limit}`
}

export async function listMispricedOrders(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      payment.business_id, payment.environment, payment.id as payment_id, payment.amount_minor,
      ordered.amount_minor as ordered_minor
    from merchant.payments as payment
    full join (
      select
        business_id, environment, payment_id, payment_link_id,
        sum(unit_amount_minor * quantity) as amount_minor
      from merchant.payment_items
      group by business_id, environment, payment_id, payment_link_id
    ) as ordered
      on ordered.business_id = payment.business_id
      and ordered.environment = payment.environment
      and ordered.payment_id = payment.id
    where (payment.is_itemised or ordered.payment_id is not null)
      and (
        payment.is_itemised is not true
        or ordered.payment_link_id is distinct from payment.payment_link_id
        or ordered.amount_minor is distinct from payment.amount_minor)
    order by payment.business_id, payment.environment, payment.id
    limit ${limit}`
}
