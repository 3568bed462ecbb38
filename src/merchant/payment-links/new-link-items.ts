// The items of a new link: as a request describes them, as the operation takes them, and the rules.
import { z } from 'zod'
import { findCurrency } from '../../kernel/money/currency.ts'
import { toMinor } from '../../kernel/money/minor-units.ts'
import { minorAmount } from '../../kernel/operations/schemas.ts'
import { amountMax, limitedMajorAmount } from '../amount-limit.ts'
import {
  fixedQuantity,
  itemName,
  itemStock,
  itemsMax,
  type LinkItem,
  leastQuantity,
  mostQuantity,
} from './payment-link-item.ts'

const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .min(1, { error: 'Must have at least one item.' })
    .max(itemsMax, { error: `At most ${itemsMax} items.` })

const itemInput = z.strictObject({
  name: itemName(),
  amountMinor: minorAmount(),
  minQuantity: leastQuantity(),
  maxQuantity: mostQuantity(),
  stock: itemStock().nullish(),
})

export const itemsInput = listOf(itemInput).optional()

export const itemsBody = listOf(
  z.strictObject({
    name: itemName(),
    amount: limitedMajorAmount().meta({ description: 'Of one.' }),
    quantity: fixedQuantity().optional(),
    minQuantity: leastQuantity().optional(),
    maxQuantity: mostQuantity().optional(),
    stock: itemStock().optional(),
  }),
)
  .optional()
  .meta({
    description:
      'What is sold, in place of `amount` and `presetAmount`. Every payer takes `quantity` of an ' +
      'item (1 if nothing is said), or chooses from `minQuantity` (0 if left out) to `maxQuantity`.',
  })

export type ItemInput = z.output<typeof itemInput>
type ItemBody = NonNullable<z.output<typeof itemsBody>>[number]

// For the transform of a request.
export function itemsOfBody(
  body: { readonly currency: string; readonly items?: readonly ItemBody[] | undefined },
  refinement: z.RefinementCtx,
): ItemInput[] | undefined {
  return body.items?.map((item, index) => {
    const problem = (field: string, message: string) =>
      refinement.addIssue({ code: 'custom', path: ['items', index, field], message })
    const { name, amount, quantity, minQuantity, maxQuantity, stock } = item
    if (quantity !== undefined && (minQuantity ?? maxQuantity) !== undefined) {
      problem('quantity', 'Leave it out if the payer chooses the quantity.')
    }
    if (minQuantity !== undefined && maxQuantity === undefined) {
      problem('maxQuantity', 'Say the most that a payer can take.')
    }
    const currency = findCurrency(body.currency)
    const amountMinor = currency && toMinor(amount, currency)
    if (amountMinor === 'too_many_decimals') {
      problem('amount', `${body.currency} has ${currency?.decimals || 'no'} decimals.`)
    }
    return {
      name,
      amountMinor: typeof amountMinor === 'bigint' ? amountMinor : 1n,
      minQuantity: maxQuantity === undefined ? (quantity ?? 1) : (minQuantity ?? 0),
      maxQuantity: maxQuantity ?? quantity ?? 1,
      stock,
    }
  })
}

type CheckedLink = {
  readonly currency: string
  readonly items?: readonly ItemInput[] | undefined
  readonly amountMinor?: bigint | null | undefined
  readonly presetAmountMinor?: bigint | null | undefined
}

export function checkItems(link: CheckedLink, refinement: z.RefinementCtx): void {
  const { items } = link
  const currency = findCurrency(link.currency)
  if (!items || !currency) return
  const problem = (path: (string | number)[], message: string) =>
    refinement.addIssue({ code: 'custom', path, message })
  for (const [field, amountMinor] of [
    ['amount', link.amountMinor],
    ['presetAmount', link.presetAmountMinor],
  ] as const) {
    if (amountMinor != null) problem([field], 'Leave it out: the items have prices.')
  }
  const mostMinor = toMinor(amountMax, currency)
  const isTooMuch = (minor: bigint) => typeof mostMinor !== 'bigint' || minor > mostMinor
  for (const [index, { amountMinor, minQuantity, maxQuantity }] of items.entries()) {
    if (minQuantity > maxQuantity) {
      problem(['items', index, 'maxQuantity'], 'Must be at least `minQuantity`.')
    }
    if (isTooMuch(amountMinor)) {
      problem(['items', index, 'amount'], 'This is more than one payment can be.')
    }
  }
  const leastMinor = items.reduce(
    (sum, { amountMinor, minQuantity }) => sum + amountMinor * BigInt(minQuantity),
    0n,
  )
  if (isTooMuch(leastMinor)) {
    problem(['items'], 'Together they cost more than one payment can be.')
  }
}

export function newItems(
  paymentLinkId: string,
  items: readonly ItemInput[],
  newId: () => string,
): LinkItem[] {
  return items.map((item, index) => ({
    id: newId(),
    paymentLinkId,
    position: index + 1,
    name: item.name,
    unitAmountMinor: item.amountMinor,
    quantityMin: item.minQuantity,
    quantityMax: item.maxQuantity,
    stock: item.stock ?? null,
    sold: 0,
    reserved: 0,
  }))
}
