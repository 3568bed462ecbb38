// Reads the provider's fields, which change between text and number, and between snake_case and
// PascalCase from one call to the next.
import { type Decimal, parseDecimal } from '../../kernel/money/decimal.ts'
import { ExactNumber } from '../../kernel/money/exact-number.ts'

export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null) return false
  return !Array.isArray(value) && !(value instanceof ExactNumber)
}

// The first of the names that has a text or a number, as written. Empty text counts as missing.
export function textOf(fields: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name]
    const text = value instanceof ExactNumber ? value.source : value
    if (typeof text === 'string' && text !== '') return text
  }
  return undefined
}

// Undefined also if it is not a number.
export function amountOf(fields: Fields, ...names: readonly string[]): Decimal | undefined {
  const text = textOf(fields, ...names)
  return text === undefined ? undefined : parseDecimal(text)
}

// Undefined also if it is no moment.
export function momentOf(fields: Fields, ...names: readonly string[]): Date | undefined {
  const text = textOf(fields, ...names)
  const at = text === undefined ? undefined : new Date(text)
  return at && !Number.isNaN(at.getTime()) ? at : undefined
}

export function objectOf(fields: Fields, name: string): Fields {
  const value = fields[name]
  return isFields(value) ? value : {}
}
