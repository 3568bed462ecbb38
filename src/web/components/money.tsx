// Amounts as people read them: grouped, with the currency, never broken over two lines. Formatted
// from text, so that no digit passes through a float.
import { currencyOf } from '../../kernel/money/currency.ts'
import { majorText } from '../../kernel/money/minor-units.ts'
import { formatNumber, numberFormat } from './locale.ts'

export function formatMoney(amountMinor: bigint, currency: string): string {
  const { decimals } = currencyOf(currency)
  const format = numberFormat({
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  return format.format(majorText(amountMinor, decimals) as Intl.StringNumericLiteral)
}

// A unit price has the decimals of its currency, or more: 52,000.00, 0.0125.
export function formatPrice(price: string, currency: string): string {
  const [whole = '', fraction = ''] = price.split('.')
  return formatNumber(`${whole}.${fraction.padEnd(currencyOf(currency).decimals, '0')}`)
}

export function Money({ minor, currency }: { minor: bigint; currency: string }) {
  return <span class="money">{formatMoney(minor, currency)}</span>
}
