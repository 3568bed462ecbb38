// A page is read as columns, each one text with the values in order, and not as rows: to make an
// object of every row would cost several times what the database needs to read them. No value can
// have a comma in it: they are ids, codes, digits and times.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { SettledPage, SettledPlace, SettledRange } from './settlement.ts'

// The payments that come after a place in the order of settling. Undefined when there is none.
export async function listSettledPage(
  sql: Sql,
  tenant: Tenant,
  range: SettledRange,
  after: SettledPlace | undefined,
  limit: number,
): Promise<SettledPage | undefined> {
  const { since, before, splitRecipientId } = range
  const rows = await sql<SettledPage[]>`
    select
      count(*)::integer as count,
      string_agg(id::text, ',' order by settled_at, id) as ids,
      string_agg(currency, ',' order by settled_at, id) as currencies,
      string_agg(amount_minor::text, ',' order by settled_at, id) as gross,
      string_agg(fee_minor::text, ',' order by settled_at, id) as fees,
      string_agg(net_minor::text, ',' order by settled_at, id) as nets,
      string_agg(refunded_minor::text, ',' order by settled_at, id) as refunded,
      string_agg(coalesce(split_recipient_id::text, ''), ',' order by settled_at, id)
        as recipient_ids,
      string_agg(coalesce(split_minor::text, ''), ',' order by settled_at, id) as splits,
      string_agg(coalesce(passed_over_recipient_id::text, ''), ',' order by settled_at, id)
        as passed_over_ids,
      string_agg(
        to_char(settled_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
        ',' order by settled_at, id
      ) as times
    from (
      select *
      from merchant.payments
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and settled_at >= ${since}
        and settled_at < ${before}
        ${splitRecipientId ? sql`and split_recipient_id = ${splitRecipientId}` : sql``}
        ${after ? isAfter(sql, after) : sql``}
      order by settled_at, id
      limit ${limit}
    ) as page`
  // Taken out: the driver's list of rows lives until the garbage collector looks at old objects,
  // and hundreds of pages would live with it.
  const row = rows.pop()
  return row && row.count > 0 ? row : undefined
}

// The time goes there as text: of what it takes for a timestamp the driver makes a Date, which has
// no microseconds, and a place before the last row would be read again for ever.
function isAfter(sql: Sql, { time, id }: SettledPlace) {
  return sql`and (settled_at, id) > (${time}::text::timestamp at time zone 'UTC', ${id})`
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
