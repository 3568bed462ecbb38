// Settled money is a bigint count of a currency's smallest unit. This is the only conversion
// between minor units and the major units that people and some requests use.
import type { Currency } from './currency.ts'
import { Decimal, digitsAt } from './decimal.ts'

// Amounts end at 10^15 minor units, so that thousands of the largest add up within the database's
// bigint (about 9.2 × 10^18).
export const amountMinorMax = 1_000_000_000_000_000n

export type MinorRefusal = 'too_many_decimals' | 'out_of_range'

export function fromMinor(amountMinor: bigint, currency: Currency): Decimal {
  return new Decimal(amountMinor, currency.decimals)
}

// As text, with all decimals of the currency.
export function majorText(amountMinor: bigint, decimals: number): string {
  const text = amountMinor.toString()
  if (decimals === 0) return text
  const isNegative = amountMinor < 0n
  const digits = (isNegative ? text.slice(1) : text).padStart(decimals + 1, '0')
  const point = digits.length - decimals
  return `${isNegative ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`
}

// Refuses instead of rounding: 10.005 USD is a mistake of the caller. 10.500 USD is fine, since
// trailing zeros have no value. If rounding is wanted, round first.
export function toMinor(value: Decimal, currency: Currency): bigint | MinorRefusal {
  if (value.scale > currency.decimals) return 'too_many_decimals'
  const amountMinor = digitsAt(value, currency.decimals)
  return isWithinRange(amountMinor) ? amountMinor : 'out_of_range'
}

export function isWithinRange(amountMinor: bigint): boolean {
  return amountMinor <= amountMinorMax && amountMinor >= -amountMinorMax
}
