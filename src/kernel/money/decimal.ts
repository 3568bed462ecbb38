// Exact decimals: the value is digits / 10^scale. Prices, quantities, rates and amounts in major
// units are computed with these, never with floats. Every Decimal is in lowest terms (scale ≥ 0, no
// trailing zero behind the point), so equal values are equal data.
import { assert } from '../basics/assert.ts'
import { rawNumber } from './exact-number.ts'

// JSON allows `1e999999999`, which would be a gigabyte when written out. These bounds are far
// beyond any amount, price or rate, and keep every value below 130 digits.
export const decimalTextLengthMax = 64
export const decimalExponentMax = 64

// A class because JSON.stringify calls `toJSON`. Otherwise it is plain data.
export class Decimal {
  readonly digits: bigint
  readonly scale: number

  constructor(digits: bigint, scale: number) {
    assert(Number.isInteger(scale) && scale >= 0, `a scale of ${scale}`)
    let lowest = scale
    let shortest = digits
    while (lowest > 0 && shortest % 10n === 0n) {
      shortest /= 10n
      lowest -= 1
    }
    this.digits = shortest
    this.scale = lowest
  }

  toJSON(): unknown {
    return rawNumber(toText(this))
  }
}

export const zeroDecimal = new Decimal(0n, 0)

const numberPattern = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

// Reads a JSON number (also PostgreSQL's format of numeric). Undefined if the text is not a number
// or out of bounds.
export function parseDecimal(text: string): Decimal | undefined {
  if (text.length > decimalTextLengthMax) return undefined
  const match = numberPattern.exec(text)
  if (!match) return undefined
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match
  const exponent = Number.parseInt(exponentText, 10)
  if (Math.abs(exponent) > decimalExponentMax) return undefined
  const magnitude = BigInt(whole + fraction)
  const digits = sign === '-' ? -magnitude : magnitude
  const scale = fraction.length - exponent
  return scale >= 0 ? new Decimal(digits, scale) : new Decimal(digits * powerOfTen(-scale), 0)
}

// Never with an exponent, which many readers of JSON and CSV don't expect in an amount.
export function toText(value: Decimal, placesMin = 0): string {
  const places = Math.max(value.scale, placesMin)
  const digits = digitsAt(value, places)
  const magnitude = (digits < 0n ? -digits : digits).toString().padStart(places + 1, '0')
  const whole = magnitude.slice(0, magnitude.length - places)
  const fraction = magnitude.slice(magnitude.length - places)
  return `${digits < 0n ? '-' : ''}${whole}${places > 0 ? `.${fraction}` : ''}`
}

// For people: `1234567.50` becomes `1,234,567.50`. The digits stay unchanged.
export function grouped(amount: string): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(amount) ?? []
  return whole === '' ? amount : sign + whole.replaceAll(/\B(?=(\d{3})+$)/g, ',') + rest
}

export function compare(left: Decimal, right: Decimal): -1 | 0 | 1 {
  const scale = Math.max(left.scale, right.scale)
  const difference = digitsAt(left, scale) - digitsAt(right, scale)
  if (difference === 0n) return 0
  return difference < 0n ? -1 : 1
}

export function negate(value: Decimal): Decimal {
  return new Decimal(-value.digits, value.scale)
}

export function add(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale)
  return new Decimal(digitsAt(left, scale) + digitsAt(right, scale), scale)
}

export function subtract(left: Decimal, right: Decimal): Decimal {
  return add(left, negate(right))
}

export function multiply(left: Decimal, right: Decimal): Decimal {
  return new Decimal(left.digits * right.digits, left.scale + right.scale)
}

// A quotient can have infinitely many digits, so there is only a rounded one. Multiply first and
// divide last, so that a value is rounded once.
export function divideRounded(dividend: Decimal, divisor: Decimal, places: number): Decimal {
  assert(divisor.digits !== 0n, 'a division by zero')
  const numerator = dividend.digits * powerOfTen(divisor.scale + places)
  const denominator = divisor.digits * powerOfTen(dividend.scale)
  return new Decimal(quotientHalfAway(numerator, denominator), places)
}

// Half away from zero: 2.665 becomes 2.67 and -2.665 becomes -2.67.
export function roundHalfAway(value: Decimal, places: number): Decimal {
  if (value.scale <= places) return value
  return new Decimal(quotientHalfAway(value.digits, powerOfTen(value.scale - places)), places)
}

// The digits of the value when written with this many places.
export function digitsAt(value: Decimal, places: number): bigint {
  assert(places >= value.scale, `${places} places cannot hold a scale of ${value.scale}`)
  return value.digits * powerOfTen(places - value.scale)
}

export function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent)
}

function quotientHalfAway(numerator: bigint, denominator: bigint): bigint {
  const isNegative = numerator < 0n !== denominator < 0n
  const dividend = numerator < 0n ? -numerator : numerator
  const divisor = denominator < 0n ? -denominator : denominator
  const magnitude = (2n * dividend + divisor) / (2n * divisor)
  return isNegative ? -magnitude : magnitude
}
