import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { OpenOnDay } from './aged.ts'

// The open items at the end of the day, from the lines of the control accounts, with the due date
// of that day. Only items that are open today, or changed since, can have been open then.
export async function listOpenOnDay(
  sql: Sql | Tx,
  tenant: Tenant,
  accountIds: readonly string[],
  day: string,
  // Without what was posted after this entry.
  upTo?: bigint,
): Promise<OpenOnDay[]> {
  const isKnown = upTo === undefined ? sql`` : sql`and sequence <= ${upTo}`
  return sql<OpenOnDay[]>`
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
      item.id, item.source, item.contact_id, contact.name as contact_name, document.kind,
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
      or open.open_base_minor <> 0
    order by lower(contact.name collate "und-x-icu"), contact.id, due_date, item.id`
}
