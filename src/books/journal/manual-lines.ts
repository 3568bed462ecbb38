// The lines of manual entries.
import { z } from 'zod'
import { currencyCode, optionalLine, uuid } from '../../kernel/operations/schemas.ts'
import { amountText, rateText } from '../input/amount-input.ts'

export const manualLinesMax = 1000

const exactlyOne = { error: 'Enter a debit or a credit.', path: ['debit'] }

export const manualLineInput = z
  .strictObject({
    accountId: uuid(),
    // In the currency of the line: one of the two.
    debit: amountText().optional(),
    credit: amountText().optional(),
    // The default is the base currency.
    currency: currencyCode().optional(),
    // The value of a foreign line: its rate, or the amount in the base currency; the default is the
    // rate of the day.
    rate: rateText().optional(),
    baseAmount: amountText().optional(),
    contactId: uuid().optional(),
    taxCodeId: uuid().optional(),
    description: optionalLine(500).optional(),
  })
  .refine((line) => (line.debit === undefined) !== (line.credit === undefined), exactlyOne)

export type ManualLine = z.output<typeof manualLineInput>
