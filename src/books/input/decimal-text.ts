// Numbers as people type them, and as the database returns them: exact text.
import { z } from 'zod'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { compare, type Decimal, parseDecimal, toText } from '../../kernel/money/decimal.ts'

export const decimalText = (min: Decimal, max: Decimal, placesMax: number) =>
  z.string({ error: quotesMissing }).transform((text, refinement) => {
    const value = parseDecimal(text.trim())
    if (value && compare(value, min) >= 0 && compare(value, max) <= 0 && value.scale <= placesMax) {
      return toText(value)
    }
    const range = `from ${toText(min)} to ${toText(max)}`
    const message = `Must be a number ${range} with at most ${placesMax} decimals.`
    refinement.addIssue({ code: 'custom', message })
    return z.NEVER
  })

// A missing value is `Required.`, as everywhere.
function quotesMissing({ input }: { readonly input?: unknown }): string | undefined {
  return input === undefined ? undefined : 'Write it in quotes, such as "100.00".'
}

export function storedDecimal(text: string): Decimal {
  return assertDefined(parseDecimal(text), `a stored number that is none: ${text}`)
}
