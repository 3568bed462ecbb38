// What callers and people say of a document. The two differ only in how a number is written: as a
// JSON number, or as the text of a form.
import { z } from 'zod'
import { Decimal, toText } from '../../kernel/money/decimal.ts'
import {
  currencyCode,
  day,
  decimalBetween,
  describedAs,
  optionalLine,
  optionalText,
  someText,
  uuid,
} from '../../kernel/operations/schemas.ts'
import { rateText } from '../input/amount-input.ts'
import { decimalText, storedDecimal } from '../input/decimal-text.ts'
import {
  discountMax,
  discountMin,
  discountPlacesMax,
  linesMax,
  quantityMax,
  quantityMin,
  quantityPlacesMax,
  unitPriceMax,
  unitPriceMin,
  unitPricePlacesMax,
} from './line-bounds.ts'

const descriptionMax = 4000
const referenceMax = 255
const notesMax = 4000

type NumberSchema = (min: Decimal, max: Decimal, placesMax: number) => z.ZodType<Decimal>

// Everything but the kind, for a document of any kind. Only people say a rate: the interface has no
// such field.
export const documentBody = documentSchema(jsonNumber)
export const draftForm = documentSchema(formNumber)
export const documentForm = draftForm.extend({ fx_rate: rateText().optional() })

export type DocumentInput = z.output<typeof documentBody> & {
  // To the base currency, as decimal text; that of the day where none is said.
  readonly fx_rate?: string | undefined
}
export type LineInput = DocumentInput['lines'][number]

function documentSchema(number: NumberSchema) {
  return z.strictObject({
    contact_id: uuid(),
    lines: z
      .array(lineSchema(number))
      .min(1, { error: 'At least one line.' })
      .max(linesMax, { error: `At most ${linesMax} lines.` }),
    date: day().optional().meta({ description: 'Today by default.' }),
    due_date: day()
      .optional()
      .meta({ description: "Not before `date`; from the contact's payment terms by default." }),
    reference: optionalLine(referenceMax).optional(),
    currency: currencyCode()
      .optional()
      .meta({ description: "The contact's currency by default, then the base currency." }),
    notes: optionalText(notesMax).optional().meta({ description: 'Printed on the document.' }),
  })
}

function lineSchema(number: NumberSchema) {
  return z.strictObject({
    description: someText(descriptionMax),
    quantity: number(quantityMin, quantityMax, quantityPlacesMax).default(new Decimal(1n, 0)),
    unit_price: number(unitPriceMin, unitPriceMax, unitPricePlacesMax),
    item_id: uuid().optional(),
    discount_pct: number(discountMin, discountMax, discountPlacesMax).optional(),
    account_id: uuid()
      .optional()
      .meta({ description: "The item's by default, the contact's, then the organisation's." }),
    tax_code_id: uuid()
      .optional()
      .meta({ description: "The item's by default, the contact's, then the organisation's." }),
  })
}

function jsonNumber(min: Decimal, max: Decimal, placesMax: number): z.ZodType<Decimal> {
  return describedAs(
    decimalBetween(min, max).refine((value) => value.scale <= placesMax, {
      error: `At most ${placesMax} decimals.`,
    }),
    { type: 'number', minimum: JSON.parse(toText(min)), maximum: JSON.parse(toText(max)) },
  )
}

function formNumber(min: Decimal, max: Decimal, placesMax: number): z.ZodType<Decimal> {
  return decimalText(min, max, placesMax).transform(storedDecimal)
}
