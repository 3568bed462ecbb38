import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { listSameContactIds } from '../contacts/merged-contact-store.ts'
import type { OpenItem } from './open-item.ts'

export async function insertOpenItem(tx: Tx, tenant: Tenant, item: OpenItem): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into books.open_items ${tx({ businessId, environment, ...item })}`
}

// In the order of ids, so that two callers don't deadlock.
export async function lockOpenItems(
  tx: Tx,
  tenant: Tenant,
  ids: readonly string[],
): Promise<OpenItem[]> {
  return tx<OpenItem[]>`
    select ${columns(tx)}
    from books.open_items
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = any (${[...ids]}::uuid[])
    order by id
    for update`
}

export async function updateOpenItem(
  tx: Tx,
  tenant: Tenant,
  id: string,
  open: Pick<OpenItem, 'openMinor' | 'openBaseMinor'>,
): Promise<void> {
  await tx`
    update books.open_items
    set open_minor = ${open.openMinor},
      open_base_minor = ${open.openBaseMinor}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

export async function updateOpenItemDueDate(
  tx: Tx,
  tenant: Tenant,
  id: string,
  dueDate: string,
): Promise<void> {
  await tx`
    update books.open_items
    set due_date = ${dueDate}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

// So that a report of an earlier day shows the due date of then.
export async function insertDueDateChange(
  tx: Tx,
  tenant: Tenant,
  change: { id: string; itemId: string; changedOn: string; formerDueDate: string },
): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into books.due_date_changes ${tx({ businessId, environment, ...change })}`
}

// The number of the document; null for a payment.
export type NumberedItem = OpenItem & { readonly number: string | null }

// The open items of a contact, oldest first.
export async function listOpenItems(
  sql: Sql | Tx,
  tenant: Tenant,
  contactId: string,
): Promise<NumberedItem[]> {
  return sql<NumberedItem[]>`
    select ${columns(sql)}, (
      select document.number
      from books.documents as document
      where document.business_id = ${tenant.businessId}
        and document.environment = item.environment
        and document.id = item.id
    ) as number
    from books.open_items as item
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and contact_id = any (${listSameContactIds(sql, tenant, contactId)})
      and open_minor <> 0
    order by date, id`
}

// The open amount of an item at the end of each day on which it changed.
export async function listOpenByDay(
  tx: Tx,
  tenant: Tenant,
  id: string,
): Promise<{ date: string; openMinor: bigint }[]> {
  return tx<{ date: string; openMinor: bigint }[]>`
    select date, (sum(sum(amount_minor)) over (order by date))::bigint as open_minor
    from books.journal_lines
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and open_item_id = ${id}
    group by date
    order by date`
}

function columns(sql: Sql | Tx) {
  return sql`
    id, source, account_id, contact_id, currency, date, due_date, fx_rate, amount_minor,
    base_minor, open_minor, open_base_minor`
}
