// Reads what the payer orders of the items of a link.
import { currencyOf } from '../../kernel/money/currency.ts'
import type { PayerLanguage } from '../../payer-texts/payer-language.ts'
import {
  isFixedQuantity,
  type LinkItem,
  leftOf,
  type OrderLine,
  orderOf,
  type Quantities,
  totalOf,
} from '../payment-links/payment-link-item.ts'
import { linkAmountMinorMax, type Offer } from './offer.ts'

export type Order = {
  readonly lines: readonly OrderLine[]
  readonly totalMinor: bigint
  // As the payer typed them, by the id of the item.
  readonly typed: TypedQuantities
  // By the id of the item.
  readonly errors: Readonly<Record<string, string>>
  // About the order as a whole.
  readonly error: string | undefined
}

export type TypedQuantities = Readonly<Record<string, string>>

export function fieldOf({ id }: Pick<LinkItem, 'id'>): string {
  return `quantity-${id}`
}

export function typedQuantities(
  items: readonly LinkItem[],
  form: URLSearchParams,
): TypedQuantities {
  const typed: Record<string, string> = {}
  for (const item of items.filter((one) => !isFixedQuantity(one))) {
    const text = form.get(fieldOf(item))
    if (text !== null) typed[item.id] = text
  }
  return typed
}

// What is left is not checked here: an earlier payment of this payer may have reserved it.
export function readOrder(
  { currency }: Offer,
  items: readonly LinkItem[],
  typed: TypedQuantities,
  { texts: { order: texts }, money }: PayerLanguage,
): Order {
  const chosen: Record<string, number> = {}
  const errors: Record<string, string> = {}
  for (const item of items.filter((one) => !isFixedQuantity(one))) {
    const { id, quantityMin, quantityMax } = item
    const text = typed[id]
    if (text === undefined) continue
    const quantity = /^\s*\d{1,6}\s*$/.test(text) ? Number.parseInt(text, 10) : -1
    if (quantity >= quantityMin && quantity <= quantityMax) chosen[id] = quantity
    else errors[id] = texts.quantity(quantityMin, quantityMax)
  }
  const lines = orderOf(items, chosen)
  const totalMinor = totalOf(lines)
  const mostMinor = linkAmountMinorMax(currencyOf(currency).decimals)
  const error =
    lines.length === 0
      ? texts.nothingChosen
      : totalMinor > mostMinor
        ? texts.atMost(money(mostMinor, currency))
        : undefined
  return { lines, totalMinor, typed, errors, error }
}

export function isReady(order: Order | undefined): boolean {
  return !order || (order.error === undefined && Object.keys(order.errors).length === 0)
}

// What the stock does not allow, in the words of the payer.
export function shortages(
  items: readonly LinkItem[],
  { lines }: Order,
  { texts: { order: texts } }: PayerLanguage,
): Record<string, string> {
  const wanted: Quantities = Object.fromEntries(
    lines.map(({ itemId, quantity }) => [itemId, quantity]),
  )
  return Object.fromEntries(
    items.flatMap((item) => {
      const left = leftOf(item)
      return left !== null && left < (wanted[item.id] ?? 0)
        ? [[item.id, texts.tooMany(left)] as const]
        : []
    }),
  )
}
