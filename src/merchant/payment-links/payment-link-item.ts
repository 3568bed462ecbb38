// The items of a payment link that is for more than one thing. An item has a price and a quantity:
// fixed, or chosen by the payer between a least and a most. With a stock, no more than that is sold
// to all payers together.
import { z } from 'zod'
import type { Currency } from '../../kernel/money/currency.ts'
import { parseDecimal } from '../../kernel/money/decimal.ts'
import { ExactNumber } from '../../kernel/money/exact-number.ts'
import { fromMinor } from '../../kernel/money/minor-units.ts'
import { describedAs, line, majorNumber, minorNumber } from '../../kernel/operations/schemas.ts'

export type LinkItem = {
  readonly id: string
  readonly paymentLinkId: string
  readonly position: number
  readonly name: string
  readonly unitAmountMinor: bigint
  readonly quantityMin: number
  readonly quantityMax: number
  // Null without a limit.
  readonly stock: number | null
  // By payments that were collected.
  readonly sold: number
  // By payments that have not ended.
  readonly reserved: number
}

export const itemsMax = 20
const quantityMost = 1000
const stockMost = 1_000_000

// What a payer takes of an item. It keeps the price that it was ordered at.
export type OrderLine = {
  readonly itemId: string
  readonly position: number
  readonly name: string
  readonly unitAmountMinor: bigint
  readonly quantity: number
}

// By the id of the item.
export type Quantities = Readonly<Record<string, number>>

export function isFixedQuantity({ quantityMin, quantityMax }: LinkItem): boolean {
  return quantityMin === quantityMax
}

// How many of it can still be ordered; null without a limit.
export function leftOf({ stock, sold, reserved }: LinkItem): number | null {
  return stock === null ? null : stock - sold - reserved
}

// What the payer would order: the fixed quantities, and the chosen or the least of the others.
// Items that the payer takes none of are left out.
export function orderOf(items: readonly LinkItem[], chosen: Quantities): OrderLine[] {
  return items
    .map((item) => ({
      itemId: item.id,
      position: item.position,
      name: item.name,
      unitAmountMinor: item.unitAmountMinor,
      quantity: isFixedQuantity(item) ? item.quantityMin : (chosen[item.id] ?? item.quantityMin),
    }))
    .filter(({ quantity }) => quantity > 0)
}

export function totalOf(lines: readonly OrderLine[]): bigint {
  return lines.reduce((sum, line) => sum + lineAmount(line), 0n)
}

export function lineAmount(line: Pick<OrderLine, 'unitAmountMinor' | 'quantity'>): bigint {
  return line.unitAmountMinor * BigInt(line.quantity)
}

// Whether both have the same items at the same prices.
export function isSameOrder(one: readonly OrderLine[], other: readonly OrderLine[]): boolean {
  const text = (lines: readonly OrderLine[]) =>
    lines
      .map(({ itemId, unitAmountMinor, quantity }) => `${itemId} ${unitAmountMinor} ${quantity}`)
      .toSorted()
      .join()
  return text(one) === text(other)
}

// Whether a payer can order anything: all items that belong to every order, and at least one.
export function isSoldOut(items: readonly LinkItem[]): boolean {
  const canHave = (item: LinkItem, quantity: number) => (leftOf(item) ?? quantity) >= quantity
  const isMissing = items.some((item) => !canHave(item, item.quantityMin))
  return isMissing || !items.some((item) => canHave(item, Math.max(item.quantityMin, 1)))
}

// JSON numbers arrive as the text that was sent; pages pass a number.
const whole = (min: number, max: number, description: string) =>
  describedAs(
    z.unknown().transform((value, refinement) => {
      const sent = value instanceof ExactNumber ? parseDecimal(value.source) : undefined
      const number = sent?.scale === 0 ? Number.parseInt(String(sent.digits), 10) : value
      if (typeof number === 'number' && Number.isInteger(number)) {
        if (number >= min && number <= max) return number
      }
      const message = `Must be a whole number from ${min} to ${max}.`
      refinement.addIssue({ code: 'custom', message })
      return z.NEVER
    }),
    { type: 'integer', minimum: min, maximum: max, description },
  )

export const itemName = () => line(140).meta({ example: 'T-shirt' })
export const fixedQuantity = () => whole(1, quantityMost, 'How many every payer takes.')
export const leastQuantity = () => whole(0, quantityMost, 'The least that a payer can take.')
export const mostQuantity = () => whole(1, quantityMost, 'The most that a payer can take.')
export const itemStock = () => whole(0, stockMost, 'How many there are, for all payers together.')

export const linkItemSchema = z.object({
  id: z.uuid(),
  name: z.string().meta({ example: 'T-shirt' }),
  amount: majorNumber().meta({ description: 'Of one.' }),
  amount_minor: minorNumber(),
  min_quantity: z.int().meta({ example: 1 }),
  max_quantity: z.int().meta({
    description: 'The same as `min_quantity` if the quantity is fixed.',
    example: 5,
  }),
  stock: z
    .int()
    .nullable()
    .meta({ description: 'For all payers together; null without a limit.', example: 100 }),
  sold: z.int().meta({ description: 'By payments that succeeded.', example: 12 }),
  reserved: z.int().meta({ description: 'By payments that have not ended.', example: 1 }),
})

export function presentItem(item: LinkItem, currency: Currency) {
  return {
    id: item.id,
    name: item.name,
    amount: fromMinor(item.unitAmountMinor, currency),
    amount_minor: item.unitAmountMinor,
    min_quantity: item.quantityMin,
    max_quantity: item.quantityMax,
    stock: item.stock,
    sold: item.sold,
    reserved: item.reserved,
  }
}

export const orderedItemSchema = z.object({
  id: z.uuid().meta({ description: 'Of the item of the link.' }),
  name: z.string().meta({ example: 'T-shirt' }),
  unit_amount: minorNumber(),
  quantity: z.int().meta({ example: 1 }),
  amount: minorNumber(),
})

export function presentOrder(lines: readonly OrderLine[]) {
  return lines.map((line) => ({
    id: line.itemId,
    name: line.name,
    unit_amount: line.unitAmountMinor,
    quantity: line.quantity,
    amount: lineAmount(line),
  }))
}

// Such as `2 × T-shirt, Mug`.
export function orderText(lines: readonly OrderLine[]): string {
  return lines
    .map(({ name, quantity }) => (quantity === 1 ? name : `${quantity} × ${name}`))
    .join(', ')
}
