// Amounts as people read them: grouped, with the currency, never broken over two lines. Formatted
// from text, so that no digit passes through a float.
import { currencyOf } from '../../kernel/money/currency.ts'
import { majorText } from '../../kernel/money/minor-units.ts'

const formats = new Map<string, Intl.NumberFormat>()

export function formatMoney(amountMinor: bigint, currency: string): string {
  const { decimals } = currencyOf(currency)
  const format = formats.get(currency) ?? newFormat(currency, decimals)
  formats.set(currency, format)
  return format.format(majorText(amountMinor, decimals) as Intl.StringNumericLiteral)
}

function newFormat(currency: string, decimals: number): Intl.NumberFormat {
  return new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
}

export function Money({ minor, currency }: { minor: bigint; currency: string }) {
  return <span class="money">{formatMoney(minor, currency)}</span>
}
