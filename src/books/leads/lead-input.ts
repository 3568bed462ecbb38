// The input of a lead.
import { z } from 'zod'
import { currencyCode, emailAddress, line, optionalText } from '../../kernel/operations/schemas.ts'
import { amountText, minorOf } from '../input/amount-input.ts'

export const leadInput = z.strictObject({
  name: line(160),
  company: line(160).nullable().default(null),
  email: emailAddress().nullable().default(null),
  phone: line(50).nullable().default(null),
  notes: optionalText(4000).nullable().default(null),
  // The possible value, in major units.
  value: amountText().nullable().default(null),
  currency: currencyCode(),
})

export function readLead({ value, ...lead }: z.output<typeof leadInput>) {
  return { ...lead, valueMinor: value === null ? null : minorOf('value', value, lead.currency) }
}
