// The input of a document, the same for keys and people. The published interface has other field
// names and JSON numbers where people type text, and no rate.
import { z } from 'zod'
import { Decimal, toText } from '../../kernel/money/decimal.ts'
import {
  currencyCode,
  decimalBetween,
  describedAs,
  optionalLine,
  optionalText,
  someText,
  uuid,
} from '../../kernel/operations/schemas.ts'
import { rateText } from '../input/amount-input.ts'
import { bookDay } from '../input/day-input.ts'
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

type NumberSchema<Text> = (
  min: Decimal,
  max: Decimal,
  placesMax: number,
) => z.ZodType<Decimal, Text>

const line = lineFields(formNumber)

// Everything but the kind, for a document of any kind.
export const draftInput = z.strictObject(documentFields(z.strictObject(line)))

export const documentInput = draftInput.extend({
  // To the base currency, as decimal text; the default is the rate of the day.
  fxRate: rateText().optional(),
  // The invoice that a credit note credits, or the bill of a supplier credit.
  creditsDocumentId: uuid().optional(),
})

export type DocumentInput = z.output<typeof documentInput>
export type LineInput = DocumentInput['lines'][number]

const bodyLine = lineFields(jsonNumber)
const body = documentFields(
  z.strictObject({
    description: bodyLine.description,
    quantity: bodyLine.quantity,
    unit_price: bodyLine.unitPrice,
    item_id: bodyLine.itemId,
    discount_pct: bodyLine.discountPct,
    account_id: bodyLine.accountId,
    tax_code_id: bodyLine.taxCodeId,
  }),
)

export const documentBody = z.strictObject({
  contact_id: body.contactId,
  lines: body.lines,
  date: body.date,
  due_date: body.dueDate,
  reference: body.reference,
  currency: body.currency,
  notes: body.notes,
})

export function readBody(sent: z.output<typeof documentBody>): DocumentInput {
  return {
    contactId: sent.contact_id,
    lines: sent.lines.map((one) => ({
      description: one.description,
      quantity: one.quantity,
      unitPrice: one.unit_price,
      itemId: one.item_id,
      discountPct: one.discount_pct,
      accountId: one.account_id,
      taxCodeId: one.tax_code_id,
    })),
    date: sent.date,
    dueDate: sent.due_date,
    reference: sent.reference,
    currency: sent.currency,
    notes: sent.notes,
  }
}

function documentFields<Line extends z.ZodType>(lineSchema: Line) {
  return {
    contactId: uuid(),
    lines: z
      .array(lineSchema)
      .min(1, { error: 'At least one line.' })
      .max(linesMax, { error: `At most ${linesMax} lines.` }),
    date: bookDay().optional().meta({ description: 'Today by default.' }),
    dueDate: bookDay()
      .optional()
      .meta({ description: "Not before `date`; by default from the contact's payment terms." }),
    reference: optionalLine(referenceMax).optional(),
    currency: currencyCode()
      .optional()
      .meta({ description: "The contact's currency by default, then the base currency." }),
    notes: optionalText(notesMax).optional().meta({ description: 'Printed on the document.' }),
  }
}

function lineFields<Text>(number: NumberSchema<Text>) {
  return {
    description: someText(descriptionMax),
    quantity: number(quantityMin, quantityMax, quantityPlacesMax).default(new Decimal(1n, 0)),
    unitPrice: number(unitPriceMin, unitPriceMax, unitPricePlacesMax),
    itemId: uuid().optional(),
    discountPct: number(discountMin, discountMax, discountPlacesMax).optional(),
    accountId: uuid()
      .optional()
      .meta({ description: "The item's by default, the contact's, then the organisation's." }),
    taxCodeId: uuid()
      .optional()
      .meta({ description: "The item's by default, the contact's, then the organisation's." }),
  }
}

function jsonNumber(min: Decimal, max: Decimal, placesMax: number): z.ZodType<Decimal> {
  return describedAs(
    decimalBetween(min, max).refine((value) => value.scale <= placesMax, {
      error: `At most ${placesMax} decimals.`,
    }),
    { type: 'number', minimum: JSON.parse(toText(min)), maximum: JSON.parse(toText(max)) },
  )
}

function formNumber(min: Decimal, max: Decimal, placesMax: number): z.ZodType<Decimal, string> {
  return decimalText(min, max, placesMax).transform(storedDecimal)
}
