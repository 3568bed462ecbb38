// Converts amounts between the database, which sends numeric as text, and exact decimals.
import { assertDefined } from '../kernel/basics/assert.ts'
import { add, compare, type Decimal, parseDecimal, zeroDecimal } from '../kernel/money/decimal.ts'

export function readDecimal(text: string): Decimal {
  return assertDefined(parseDecimal(text), 'the database sent an amount that is not a number')
}

export function sumOf(values: readonly Decimal[]): Decimal {
  return values.reduce(add, zeroDecimal)
}

export function isPositive(value: Decimal): boolean {
  return compare(value, zeroDecimal) > 0
}

export function isLess(left: Decimal, right: Decimal): boolean {
  return compare(left, right) < 0
}
