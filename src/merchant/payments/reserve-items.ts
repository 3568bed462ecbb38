// Reserves the items of a link for a payment. Each step locks all items of the link, so when two
// payers press Pay at the same time, the second finds what the first has left. What is reserved
// stays so until the payment has ended, however long its outcome is unknown. A charge that succeeds
// after its payment has ended is refunded, so it sells nothing.
import { assert, assertDefined } from '../../kernel/basics/assert.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import {
  isSameOrder,
  type LinkItem,
  leftOf,
  type OrderLine,
  orderOf,
} from '../payment-links/payment-link-item.ts'
import {
  listPaymentItems,
  lockLinkItems,
  updateLinkItem,
} from '../payment-links/payment-link-item-store.ts'
import type { Payment } from './payment.ts'

// changed: the link has other prices by now. short: too little of an item is left.
export type ItemsReserved = 'reserved' | 'changed' | 'short'

export async function reserveItems(
  tx: Tx,
  tenant: Tenant,
  linkId: string,
  lines: readonly OrderLine[],
): Promise<ItemsReserved> {
  const items = await lockLinkItems(tx, tenant, linkId)
  const chosen = Object.fromEntries(lines.map(({ itemId, quantity }) => [itemId, quantity]))
  if (!isSameOrder(lines, orderOf(items, { ...noneOf(items), ...chosen }))) return 'changed'
  const pairs = lines.map((line) => pairOf(items, line))
  if (pairs.some(({ item, quantity }) => (leftOf(item) ?? quantity) < quantity)) return 'short'
  for (const { item, quantity } of pairs) {
    await updateLinkItem(tx, tenant, item, { reserved: item.reserved + quantity })
  }
  return 'reserved'
}

// The payment has succeeded. Returns what it was for.
export function sellItems(tx: Tx, tenant: Tenant, payment: Payment): Promise<OrderLine[]> {
  return endReservation(tx, tenant, payment, 'sold')
}

// The payment has ended without money, so others can have its items.
export function releaseItems(tx: Tx, tenant: Tenant, payment: Payment): Promise<OrderLine[]> {
  return endReservation(tx, tenant, payment, 'released')
}

async function endReservation(
  tx: Tx,
  tenant: Tenant,
  { id, isItemised, paymentLinkId }: Payment,
  outcome: 'sold' | 'released',
): Promise<OrderLine[]> {
  if (!isItemised || paymentLinkId === null) return []
  const items = await lockLinkItems(tx, tenant, paymentLinkId)
  const lines = await listPaymentItems(tx, tenant, [id])
  for (const { item, quantity } of lines.map((line) => pairOf(items, line))) {
    const reserved = item.reserved - quantity
    assert(reserved >= 0, 'a payment ends the reservation of another')
    const sold = item.sold + quantity
    await updateLinkItem(tx, tenant, item, outcome === 'sold' ? { reserved, sold } : { reserved })
  }
  return lines
}

function noneOf(items: readonly LinkItem[]): Record<string, number> {
  return Object.fromEntries(items.map(({ id }) => [id, 0]))
}

function pairOf(items: readonly LinkItem[], { itemId, quantity }: OrderLine) {
  const item = items.find(({ id }) => id === itemId)
  return { item: assertDefined(item, 'an ordered item vanished'), quantity }
}
