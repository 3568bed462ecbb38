// Reads a caller's input. The provider accepts amounts as numbers or text, ignores unknown fields,
// and names what is missing in a sentence.
import { Fault } from '../kernel/basics/fault.ts'
import { isCurrency } from '../kernel/money/currency.ts'
import { compare, type Decimal, parseDecimal, zeroDecimal } from '../kernel/money/decimal.ts'
import { ExactNumber } from '../kernel/money/exact-number.ts'

export type Fields = Readonly<Record<string, unknown>>

export function refuse(message: string): Fault {
  return new Fault('invalid_request', message)
}

export function isFields(value: unknown): value is Fields {
  const isObject = typeof value === 'object' && value !== null
  return isObject && !Array.isArray(value) && !(value instanceof ExactNumber)
}

const textLengthMax = 2000

export function optionalText(
  fields: Fields,
  name: string,
  lengthMax = textLengthMax,
): string | undefined {
  const value = fields[name]
  if (value === undefined || value === null || value === '') return undefined
  const text = value instanceof ExactNumber ? value.source : value
  if (typeof text !== 'string') throw refuse(`${name} must be a string`)
  if (text.length > lengthMax) throw refuse(`${name} must not exceed ${lengthMax} characters`)
  return text
}

export function requiredText(fields: Fields, name: string, lengthMax?: number): string {
  const text = optionalText(fields, name, lengthMax)
  if (text === undefined) throw refuse(`${name} is required`)
  return text
}

// The same limits as the database columns.
const amountPlacesMax = 6
const amountMax = parseDecimal('1e15') ?? zeroDecimal

export function optionalAmount(fields: Fields, name = 'amount'): Decimal | undefined {
  const text = optionalText(fields, name)
  if (text === undefined) return undefined
  const amount = parseDecimal(text)
  if (!amount) throw refuse(`${name} must be a number`)
  const isInRange = compare(amount, zeroDecimal) > 0 && compare(amount, amountMax) <= 0
  if (!isInRange || amount.scale > amountPlacesMax) throw refuse(`${name} is invalid`)
  return amount
}

export function requiredAmount(fields: Fields, name = 'amount'): Decimal {
  const amount = optionalAmount(fields, name)
  if (!amount) throw refuse(`${name} is required`)
  return amount
}

export function wholeNumber(
  fields: Fields,
  name: string,
  fallback: number,
  [min, max]: readonly [number, number],
): number {
  const text = optionalText(fields, name)
  if (text === undefined) return fallback
  const value = /^\d{1,9}$/.test(text) ? Number.parseInt(text, 10) : Number.NaN
  if (!(value >= min && value <= max)) throw refuse(`${name} must be from ${min} to ${max}`)
  return value
}

// The provider charges in naira if no currency is named.
export function currencyOf(fields: Fields, name = 'currency'): string {
  const code = optionalText(fields, name) ?? 'NGN'
  if (!isCurrency(code)) throw refuse(`${name} ${code} is not supported`)
  return code
}

export function optionalObject(fields: Fields, name: string): Fields {
  const value = fields[name]
  if (value === undefined || value === null) return {}
  if (!isFields(value)) throw refuse(`${name} must be an object`)
  return value
}

export function optionalList(fields: Fields, name: string): readonly Fields[] {
  const value = fields[name]
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || !value.every(isFields)) throw refuse(`${name} must be a list`)
  return value
}

export function optionalDay(fields: Fields, name: string): string | undefined {
  const text = optionalText(fields, name)
  if (text === undefined) return undefined
  const day = text.slice(0, 10)
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(Date.parse(day))) {
    throw refuse(`${name} must be a date`)
  }
  return day
}

export function idOf(text: string | undefined): bigint | undefined {
  return text !== undefined && /^\d{1,18}$/.test(text) ? BigInt(text) : undefined
}
