import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { SettledRange, Settlement } from './settlement.ts'
import type { SettledTotal } from './settlement-totals.ts'

// The payments that follow another one in the order of settling.
export async function listSettled(
  sql: Sql,
  tenant: Tenant,
  { since, before, splitRecipientId }: SettledRange,
  after: Settlement | undefined,
  limit: number,
): Promise<Settlement[]> {
  return sql<Settlement[]>`
    select ${columns(sql)}
    from merchant.payments
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      ${splitRecipientId ? sql`and split_recipient_id = ${splitRecipientId}` : sql``}
      ${after ? isAfter(sql, after) : sql`and settled_at >= ${since}`}
      and settled_at < ${before}
    order by settled_at, id
    limit ${limit}`
}

export async function listNewestSettled(
  sql: Sql,
  tenant: Tenant,
  range: SettledRange,
  limit: number,
): Promise<Settlement[]> {
  return sql<Settlement[]>`
    select ${columns(sql)}
    from merchant.payments
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and ${isIn(sql, range)}
    order by settled_at desc, id desc
    limit ${limit}`
}

// The sums of the same payments.
export async function listSettledTotals(
  sql: Sql,
  tenant: Tenant,
  range: SettledRange,
): Promise<SettledTotal[]> {
  return sql<SettledTotal[]>`
    select
      currency,
      count(*)::integer as count,
      sum(amount_minor)::bigint as gross_minor,
      sum(fee_minor)::bigint as fee_minor,
      sum(net_minor)::bigint as net_minor,
      sum(refunded_minor)::bigint as refunded_minor,
      coalesce(sum(split_minor), 0)::bigint as split_minor
    from merchant.payments
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and ${isIn(sql, range)}
    group by currency
    order by currency collate "C"`
}

function isIn(sql: Sql, { since, before, splitRecipientId }: SettledRange) {
  return sql`
    settled_at >= ${since}
    and settled_at < ${before}
    ${splitRecipientId ? sql`and split_recipient_id = ${splitRecipientId}` : sql``}`
}

// The time is passed as text: a Date has no microseconds, so the last row would be read again.
function isAfter(sql: Sql, { settledAtUtc, id }: Settlement) {
  return sql`
    and (settled_at, id) > (${settledAtUtc}::text::timestamp at time zone 'UTC', ${id})`
}

export async function updatePassedOver(
  tx: Tx,
  tenant: Tenant,
  paymentId: string,
  recipientId: string,
): Promise<void> {
  await tx`
    update merchant.payments
    set passed_over_recipient_id = ${recipientId}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${paymentId}`
}

function columns(sql: Sql) {
  return sql`
    id, currency, amount_minor as gross_minor, fee_minor, net_minor, refunded_minor,
    split_recipient_id, split_minor, passed_over_recipient_id,
    (settled_at at time zone 'UTC')::text as settled_at_utc`
}
