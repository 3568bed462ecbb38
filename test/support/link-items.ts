// Links with items, and payers who order from them.
import type { LinkItem } from '../../src/merchant/payment-links/payment-link-item.ts'
import { listLinkItems } from '../../src/merchant/payment-links/payment-link-item-store.ts'
import { newLink, pressPay, type Shop } from './payments.ts'
import type { CallResult, World } from './world.ts'

export type ItemShop = Shop & { readonly page: string; readonly linkId: string }

export async function newItemLink(
  world: World,
  owner: Shop,
  items: readonly object[],
  body: object = {},
): Promise<ItemShop> {
  const page = await newLink(world, owner, { amount: undefined, items, ...body })
  const [row] = await world.database.sql<{ id: string }[]>`
    select id
    from merchant.payment_links
    where business_id = ${owner.tenant.businessId}
    order by id desc
    limit 1`
  return { ...owner, page, linkId: row?.id ?? '' }
}

export async function itemsOf(
  { database }: World,
  { tenant, linkId }: ItemShop,
): Promise<LinkItem[]> {
  return listLinkItems(database.sql, tenant, [linkId])
}

// Presses Pay for these quantities, by the place of the item, having seen the total.
export async function orderItems(
  world: World,
  owner: ItemShop,
  quantities: readonly (number | undefined)[],
  fields: Record<string, string> = {},
): Promise<CallResult> {
  const items = await itemsOf(world, owner)
  const chosen = items.flatMap(({ id }, index) =>
    quantities[index] === undefined ? [] : [[`quantity-${id}`, String(quantities[index])]],
  )
  const total = items.reduce(
    (sum, { unitAmountMinor, quantityMin }, index) =>
      sum + unitAmountMinor * BigInt(quantities[index] ?? quantityMin),
    0n,
  )
  return pressPay(world, owner.page, {
    ...Object.fromEntries(chosen),
    total: String(total),
    ...fields,
  })
}

// `sold reserved` of each item.
export async function countsOf(world: World, owner: ItemShop): Promise<string[]> {
  return (await itemsOf(world, owner)).map(({ sold, reserved }) => `${sold} ${reserved}`)
}
