import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { findShownName } from '../contacts/merged-contact-store.ts'
import type { OpenOnDay, OpenTotals } from './aged.ts'

export async function listOpenOnDay(
  sql: Sql | Tx,
  tenant: Tenant,
  accountIds: readonly string[],
  day: string,
  // Without what was posted after this entry.
  upTo?: bigint,
): Promise<OpenOnDay[]> {
  return sql<OpenOnDay[]>`
    select *
    from (${openOnDay(sql, tenant, accountIds, day, upTo)}) as item
    order by lower(contact_name collate "und-x-icu"), contact_id, due_date, id`
}

// Only the sums, for a place that shows nothing else.
export async function findOpenTotals(
  sql: Sql,
  tenant: Tenant,
  accountIds: readonly string[],
  day: string,
): Promise<OpenTotals> {
  const [row] = await sql<OpenTotals[]>`
    with item as (
      select
        kind, open_base_minor, ${day}::date - due_date as days,
        open_base_minor >= 0 and open_minor >= 0 as is_owed
      from (${openOnDay(sql, tenant, accountIds, day)}) as open_item
    )
    select
      coalesce(sum(open_base_minor) filter (
        where is_owed and days <= 0), 0)::bigint as current,
      coalesce(sum(open_base_minor) filter (
        where is_owed and days between 1 and 30), 0)::bigint as days1_to30,
      coalesce(sum(open_base_minor) filter (
        where is_owed and days between 31 and 60), 0)::bigint as days31_to60,
      coalesce(sum(open_base_minor) filter (
        where is_owed and days between 61 and 90), 0)::bigint as days61_to90,
      coalesce(sum(open_base_minor) filter (
        where is_owed and days > 90), 0)::bigint as days_over90,
      count(*) filter (where kind = 'invoice' and days > 0)::integer as overdue_invoices
    from item`
  return assertDefined(row, 'sums without a row')
}

// The open items at the end of the day, from the lines of the control accounts, with the due date
// of that day. Only items that are open today, or changed since, can have been open then.
function openOnDay(
  sql: Sql | Tx,
  tenant: Tenant,
  accountIds: readonly string[],
  day: string,
  upTo?: bigint,
) {
  const isKnown = upTo === undefined ? sql`` : sql`and sequence <= ${upTo}`
  return sql`
    with candidate as (
      select id
      from books.open_items
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and open_minor <> 0
      union
      select open_item_id
      from books.journal_lines
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and account_id = any (${[...accountIds]}::uuid[])
        and ${upTo === undefined ? sql`date > ${day}` : sql`(date > ${day} or sequence > ${upTo})`}
        and open_item_id is not null
    )
    select
      item.id, item.source, coalesce(contact.merged_into, contact.id) as contact_id,
      ${findShownName(sql, tenant)} as contact_name, document.kind,
      document.number, coalesce(document.reference, payment.reference) as reference, item.date,
      coalesce(former.due_date, item.due_date) as due_date, item.currency, open.open_minor,
      open.open_base_minor
    from candidate
    inner join books.open_items as item
      on item.business_id = ${tenant.businessId}
      and item.environment = ${tenant.environment}
      and item.id = candidate.id
      and item.account_id = any (${[...accountIds]}::uuid[])
    cross join lateral (
      select
        coalesce(sum(amount_minor), 0)::bigint as open_minor,
        coalesce(sum(base_minor), 0)::bigint as open_base_minor
      from books.journal_lines
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and open_item_id = item.id
        and account_id = item.account_id
        and date <= ${day}
        ${isKnown}
    ) as open
    left join lateral (
      select former_due_date as due_date
      from books.due_date_changes
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and item_id = item.id
        and changed_on > ${day}
      order by id
      limit 1
    ) as former on true
    inner join books.contacts as contact
      on contact.business_id = item.business_id
      and contact.environment = item.environment
      and contact.id = item.contact_id
    left join books.documents as document
      on document.business_id = item.business_id
      and document.environment = item.environment
      and document.id = item.id
    left join books.payments as payment
      on payment.business_id = item.business_id
      and payment.environment = item.environment
      and payment.id = item.id
    where open.open_minor <> 0
      or open.open_base_minor <> 0`
}
