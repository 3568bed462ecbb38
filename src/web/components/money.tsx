// Amounts as people read them: grouped, with the currency, never broken over two lines. Formatted
// from text, so that no digit passes through a float.
import { currencyOf } from '../../kernel/money/currency.ts'
import { majorText } from '../../kernel/money/minor-units.ts'
import { numberFormat } from './locale.ts'

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

export function Money({ minor, currency }: { minor: bigint; currency: string }) {
  return <span class="money">{formatMoney(minor, currency)}</span>
}
