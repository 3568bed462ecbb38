// The lines of entries that people write themselves.
import { z } from 'zod'
import { currencyCode, optionalLine, uuid } from '../../kernel/operations/schemas.ts'
import { amountText, rateText } from '../input/amount-input.ts'

const exactlyOne = { error: 'State a debit or a credit.', path: ['debit'] }

export const manualLineInput = z
  .strictObject({
    accountId: uuid(),
    // In the currency of the line: one of the two.
    debit: amountText().optional(),
    credit: amountText().optional(),
    // The base currency, unless it is said.
    currency: currencyCode().optional(),
    // What a foreign line is worth: its rate, or the amount in the base currency; neither for the
    // rate of the day.
    rate: rateText().optional(),
    baseAmount: amountText().optional(),
    contactId: uuid().optional(),
    taxCodeId: uuid().optional(),
    description: optionalLine(500).optional(),
  })
  .refine((line) => (line.debit === undefined) !== (line.credit === undefined), exactlyOne)

export type ManualLine = z.output<typeof manualLineInput>
