// A page is read as one text, a line for each payment, and not as rows: to make an object of every
// row would cost several times what the database needs to read them. No value can have a comma or a
// line end in it: they are ids, codes, digits and times.
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
  const [row] = await sql<{ page: string | null }[]>`
    select string_agg(
      concat_ws(
        ',', id, currency, amount_minor, fee_minor, net_minor, refunded_minor,
        coalesce(split_recipient_id::text, ''), coalesce(split_minor::text, ''),
        coalesce(passed_over_recipient_id::text, ''), settled_at at time zone 'UTC'
      ),
      E'\n' order by settled_at, id
    ) as page
    from (
      select *
      from merchant.payments
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        ${splitRecipientId ? sql`and split_recipient_id = ${splitRecipientId}` : sql``}
        ${after ? isAfter(sql, after) : sql`and settled_at >= ${since}`}
        and settled_at < ${before}
      order by settled_at, id
      limit ${limit}
    ) as page`
  return typeof row?.page === 'string' ? Buffer.from(row.page, 'latin1') : undefined
}

// The time goes there as text, with its microseconds: a Date has none, and a place before the last
// row would be read again for ever.
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
