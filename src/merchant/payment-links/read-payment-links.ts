// Payment links with their items.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { ItemisedLink, PaymentLink } from './payment-link.ts'
import { listLinkItems } from './payment-link-item-store.ts'
import { findLink } from './payment-link-store.ts'

export async function withItems(
  sql: Sql | Tx,
  tenant: Tenant,
  links: readonly PaymentLink[],
): Promise<ItemisedLink[]> {
  if (links.length === 0) return []
  const ids = links.map(({ id }) => id)
  const items = Map.groupBy(
    await listLinkItems(sql, tenant, ids),
    ({ paymentLinkId }) => paymentLinkId,
  )
  return links.map((link) => ({ ...link, items: items.get(link.id) ?? [] }))
}

export async function readPaymentLink(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<ItemisedLink | undefined> {
  const link = await findLink(sql, tenant, id)
  return link && (await withItems(sql, tenant, [link]))[0]
}
