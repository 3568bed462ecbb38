// A page is read as columns, each one text with the values in order, and not as rows: to make an
// object of every row would cost several times what the database needs to read them. No value can
// have a comma in it: they are ids, codes, digits and times.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { SettledPage, SettledPlace, SettledRange } from './settlement.ts'

type Joined = { readonly [column in keyof SettledPage]: string | null }

// The payments that come after a place in the order of settling. Undefined when there is none.
export async function listSettledPage(
  sql: Sql,
  tenant: Tenant,
  range: SettledRange,
  after: SettledPlace | undefined,
  limit: number,
): Promise<SettledPage | undefined> {
  const { since, before, splitRecipientId } = range
  const joined = (column: ReturnType<Sql>) =>
    sql`string_agg(coalesce(${column}::text, ''), ',' order by settled_at, id)`
  const [page] = await sql<Joined[]>`
    select
      ${joined(sql`id`)} as ids,
      ${joined(sql`currency`)} as currencies,
      ${joined(sql`amount_minor`)} as gross,
      ${joined(sql`fee_minor`)} as fees,
      ${joined(sql`net_minor`)} as nets,
      ${joined(sql`refunded_minor`)} as refunded,
      ${joined(sql`split_recipient_id`)} as recipient_ids,
      ${joined(sql`split_minor`)} as splits,
      ${joined(sql`passed_over_recipient_id`)} as passed_over_ids,
      ${joined(sql`to_char(settled_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`)} as times
    from (
      select *
      from merchant.payments
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and settled_at >= ${since}
        and settled_at < ${before}
        ${splitRecipientId ? sql`and split_recipient_id = ${splitRecipientId}` : sql``}
        ${after ? sql`and (settled_at, id) > (${after.time}::timestamp at time zone 'UTC', ${after.id})` : sql``}
      order by settled_at, id
      limit ${limit}
    ) as page`
  return page && split(page)
}

function split(page: Joined): SettledPage | undefined {
  if (page.ids === null) return undefined
  const columns = Object.entries(page).map(([name, values]) => [name, values?.split(',')])
  return Object.fromEntries(columns) as SettledPage
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
