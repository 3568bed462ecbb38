// Amounts in forms, as people type them.
import { invalidField } from '../../kernel/basics/fault.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { majorText, toMinor } from '../../kernel/money/minor-units.ts'
import { parseTypedAmount } from '../../kernel/money/typed-amount.ts'
import { decimalMark, formatNumber } from './locale.ts'

// Throws a Fault that names the field.
export function readTypedAmount(form: URLSearchParams, field: string, code: string): bigint {
  const currency = currencyOf(code)
  const { decimals } = currency
  const example = formatNumber(decimals === 0 ? '1500' : `1500.${'5'.padEnd(decimals, '0')}`)
  const amount = parseTypedAmount(form.get(field) ?? '', currency, decimalMark())
  if (!amount) throw invalidField(field, `Enter the amount in figures, for example ${example}.`)
  const minor = toMinor(amount, currency)
  if (minor === 'too_many_decimals') {
    throw invalidField(field, `${code} has ${decimals} decimals, for example ${example}.`)
  }
  if (minor === 'out_of_range') throw invalidField(field, 'The amount is too large.')
  if (minor <= 0n) throw invalidField(field, 'Enter an amount above zero.')
  return minor
}

// The amount as a form shows it for editing.
export function initialAmount(amountMinor: bigint, code: string): string {
  return typedAmount(amountMinor, code).replace('.', decimalMark())
}

// The amount as operations take it.
export function typedAmount(amountMinor: bigint, code: string): string {
  return majorText(amountMinor, currencyOf(code).decimals)
}
