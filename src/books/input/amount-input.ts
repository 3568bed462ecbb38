// Amounts and rates as people type them: text, in major units.
import { invalidField } from '../../kernel/basics/fault.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { Decimal } from '../../kernel/money/decimal.ts'
import {
  amountMinorMax,
  isWithinRange,
  majorText,
  toMinor,
} from '../../kernel/money/minor-units.ts'
import { decimalText, storedDecimal } from './decimal-text.ts'

// The most decimals of any currency.
const amountPlacesMax = 4
const smallest = new Decimal(1n, amountPlacesMax)
const largest = new Decimal(amountMinorMax, 0)
export const amountText = () => decimalText(smallest, largest, amountPlacesMax)

const rateMin = new Decimal(1n, 8)
const rateMax = new Decimal(100_000_000n, 0)
const ratePlacesMax = 10
export const rateText = () => decimalText(rateMin, rateMax, ratePlacesMax)

export function minorOf(field: string, text: string, currencyText: string): bigint {
  const currency = currencyOf(currencyText)
  const amountMinor = toMinor(storedDecimal(text), currency)
  if (typeof amountMinor === 'bigint') return amountMinor
  const message =
    amountMinor === 'out_of_range'
      ? 'Too large.'
      : `${currencyText} has ${currency.decimals || 'no'} decimals.`
  throw invalidField(field, message)
}

// The amount in the base currency must also be within the limits.
export function requireBaseRange(field: string, baseMinor: bigint, baseCurrency: string): void {
  if (isWithinRange(baseMinor)) return
  throw invalidField(field, `Too large in ${baseCurrency}. Check the rate.`)
}

// `1234.50 USD`, for messages.
export function amountWords(amountMinor: bigint, currencyText: string): string {
  const currency = currencyOf(currencyText)
  return `${majorText(amountMinor, currency.decimals)} ${currencyText}`
}
