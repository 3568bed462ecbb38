import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { LinkItem, OrderLine } from './payment-link-item.ts'

export async function listLinkItems(
  sql: Sql | Tx,
  tenant: Tenant,
  linkIds: readonly string[],
): Promise<LinkItem[]> {
  return sql<LinkItem[]>`
    select ${columns(sql)}
    from merchant.payment_link_items
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and payment_link_id = any (${[...linkIds]})
    order by payment_link_id, position`
}

// All items of a link, always in this order, so that two payers don't deadlock.
export async function lockLinkItems(tx: Tx, tenant: Tenant, linkId: string): Promise<LinkItem[]> {
  return tx<LinkItem[]>`
    select ${columns(tx)}
    from merchant.payment_link_items
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and payment_link_id = ${linkId}
    order by position
    for update`
}

export async function insertLinkItems(
  tx: Tx,
  tenant: Tenant,
  items: readonly LinkItem[],
): Promise<void> {
  const { businessId, environment } = tenant
  await tx`
    insert into merchant.payment_link_items
      ${tx(items.map((item) => ({ businessId, environment, ...item })))}`
}

// Writes the given fields of an item that the caller has locked.
export async function updateLinkItem(
  tx: Tx,
  tenant: Tenant,
  { paymentLinkId, id }: Pick<LinkItem, 'paymentLinkId' | 'id'>,
  changes: Partial<Pick<LinkItem, 'unitAmountMinor' | 'stock' | 'sold' | 'reserved'>>,
): Promise<void> {
  await tx`
    update merchant.payment_link_items
    set ${tx(changes)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and payment_link_id = ${paymentLinkId}
      and id = ${id}`
}

type Ordered = { readonly paymentId: string; readonly paymentLinkId: string }

export async function insertPaymentItems(
  tx: Tx,
  tenant: Tenant,
  { paymentId, paymentLinkId }: Ordered,
  lines: readonly OrderLine[],
): Promise<void> {
  const { businessId, environment } = tenant
  const owner = { businessId, environment, paymentId, paymentLinkId }
  await tx`insert into merchant.payment_items ${tx(lines.map((line) => ({ ...owner, ...line })))}`
}

export async function listPaymentItems(
  sql: Sql | Tx,
  tenant: Tenant,
  paymentIds: readonly string[],
): Promise<(OrderLine & { readonly paymentId: string })[]> {
  return sql<(OrderLine & { readonly paymentId: string })[]>`
    select payment_id, item_id, position, name, unit_amount_minor, quantity
    from merchant.payment_items
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and payment_id = any (${[...paymentIds]})
    order by payment_id, position`
}

function columns(sql: Sql | Tx) {
  return sql`
    id, payment_link_id, position, name, unit_amount_minor, quantity_min, quantity_max, stock,
    sold, reserved`
}
