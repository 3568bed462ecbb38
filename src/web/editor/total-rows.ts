// The rows of the totals: net, taxes, total, and the total in the base currency.
import type { EditorFacts } from '../../books/documents/get-editor-facts.ts'
import type { LinePrice } from '../../books/documents/price-document.ts'
import { typedNumber } from '../../books/documents/typed-price.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { digitsAt, multiply, roundHalfAway } from '../../kernel/money/decimal.ts'
import { fromMinor, majorText } from '../../kernel/money/minor-units.ts'
import { formatNumber } from '../components/locale.ts'
import { formatMoney } from '../components/money.tsx'
import type { EditorState, ReadState } from './editor-state.ts'
import { rateOfDay, rateText } from './known-rate.ts'

// Without the currency, which the total names.
export function netText(price: LinePrice | undefined, currency: string): string {
  return price ? formatNumber(majorText(price.netMinor, currencyOf(currency).decimals)) : '–'
}

export type TotalRow = { readonly label: string; readonly text: string; readonly isTotal?: boolean }

export function totalRows(
  { currency, price }: ReadState,
  facts: EditorFacts,
  state: Pick<EditorState, 'fxRate' | 'date'>,
): TotalRow[] {
  const { baseCurrency } = facts
  const known = rateOfDay(facts, currency, state)
  const rate = typedNumber(state.fxRate) ?? typedNumber(rateText(known))
  const isForeign = currency !== baseCurrency
  return [
    ...(price.taxes.length > 0
      ? [{ label: 'Net', text: formatMoney(price.subtotalMinor, currency) }]
      : []),
    ...price.taxes.map(({ label, taxMinor }) => ({ label, text: formatMoney(taxMinor, currency) })),
    { label: 'Total', text: formatMoney(price.totalMinor, currency), isTotal: true },
    ...(isForeign && rate
      ? [{ label: `In ${baseCurrency}`, text: baseText(price.totalMinor, rate) }]
      : []),
    ...(isForeign && !rate && known === 'unknown'
      ? [{ label: `In ${baseCurrency}`, text: `no rate of ${currency} is known` }]
      : []),
  ]

  function baseText(totalMinor: bigint, known: NonNullable<typeof rate>): string {
    const { decimals } = currencyOf(baseCurrency)
    const exact = multiply(fromMinor(totalMinor, currencyOf(currency)), known)
    return formatMoney(digitsAt(roundHalfAway(exact, decimals), decimals), baseCurrency)
  }
}
