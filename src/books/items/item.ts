// Something that is sold or bought often: the default values of a line that names it.
import { z } from 'zod'
import { line, optionalText, uuid } from '../../kernel/operations/schemas.ts'
import { unitPriceMax, unitPriceMin, unitPricePlacesMax } from '../documents/line-bounds.ts'
import { decimalText } from '../input/decimal-text.ts'

export type Item = {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly description: string | null
  // Decimal text, in the base currency.
  readonly salesUnitPrice: string | null
  readonly purchaseUnitPrice: string | null
  readonly salesAccountId: string | null
  readonly purchaseAccountId: string | null
  readonly salesTaxCodeId: string | null
  readonly purchaseTaxCodeId: string | null
  readonly active: boolean
  readonly createdAt: Date
}

const price = () => decimalText(unitPriceMin, unitPriceMax, unitPricePlacesMax).nullable()

const fields = {
  description: optionalText(4000)
    .transform((text) => text || null)
    .nullable(),
  salesUnitPrice: price(),
  purchaseUnitPrice: price(),
  salesAccountId: uuid().nullable(),
  purchaseAccountId: uuid().nullable(),
  salesTaxCodeId: uuid().nullable(),
  purchaseTaxCodeId: uuid().nullable(),
}

export const itemInput = z.strictObject({
  code: line(40),
  name: line(160),
  ...z.object(fields).partial().shape,
})

export const itemChanges = z
  .strictObject({ code: line(40), name: line(160), ...fields, active: z.boolean() })
  .partial()
