// Reads amounts as people type them: `1,234.50`, `1.234,50`, `1 234,50`, `₦1,234`. The last point
// or comma is the decimal separator if no more digits follow it than the currency has decimals;
// otherwise it groups thousands.
import { invalidField } from '../../kernel/basics/fault.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { parseDecimal } from '../../kernel/money/decimal.ts'
import { majorText, toMinor } from '../../kernel/money/minor-units.ts'

// Throws a Fault that names the field.
export function readTypedAmount(form: URLSearchParams, field: string, code: string): bigint {
  const currency = currencyOf(code)
  const text = (form.get(field) ?? '').trim()
  const example = currency.decimals === 0 ? '1500' : `1500.${'5'.padEnd(currency.decimals, '0')}`
  if (text === '') throw invalidField(field, 'Enter an amount.')
  const plain = plainNumber(text, currency.decimals)
  const amount = plain === undefined ? undefined : parseDecimal(plain)
  if (!amount) throw invalidField(field, `Enter the amount in figures, for example ${example}.`)
  const minor = toMinor(amount, currency)
  if (minor === 'too_many_decimals') {
    throw invalidField(field, `${code} has ${currency.decimals} decimals, for example ${example}.`)
  }
  if (minor === 'out_of_range') throw invalidField(field, 'The amount is too large.')
  if (minor <= 0n) throw invalidField(field, 'Enter an amount above zero.')
  return minor
}

// The amount as a form shows it for editing.
export function typedAmount(amountMinor: bigint, code: string): string {
  return majorText(amountMinor, currencyOf(code).decimals)
}

const grouped = /^\d{1,3}([., \u00a0\u202f'’]\d{3})+$/

function plainNumber(text: string, decimals: number): string | undefined {
  const digits = text.replace(/^[^\d.,-]{1,4}\s*|\s*[^\d.,-]{1,4}$/gu, '')
  const [, whole = '', fraction] = /^(.*?)(?:[.,](\d*))?$/su.exec(digits) ?? []
  const isFraction =
    fraction !== undefined && (fraction.length <= decimals || !grouped.test(digits))
  const integer = isFraction ? whole : digits
  if (!/^\d+$/.test(integer) && !grouped.test(integer)) return undefined
  const bare = integer.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '')
  return isFraction && fraction !== '' ? `${bare}.${fraction}` : bare
}
