// The sums of a list of settlements, per currency. They are added up while the rows are written, so
// rows and sums cannot disagree.
import { csvLineEnd } from '../../kernel/http/csv.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { majorText } from '../../kernel/money/minor-units.ts'
import { netSettledMinor, type Settlement } from './settlement.ts'

type CurrencyTotal = {
  count: number
  grossMinor: bigint
  feeMinor: bigint
  netMinor: bigint
  refundedMinor: bigint
  splitMinor: bigint
}

// As the database sums them up for a page.
export type SettledTotal = Readonly<CurrencyTotal> & { readonly currency: string }

export type Totals = Map<string, CurrencyTotal>

export function addToTotals(totals: Totals, settlement: Settlement): void {
  const { currency } = settlement
  const total = totals.get(currency) ?? newTotal()
  totals.set(currency, total)
  total.count += 1
  total.grossMinor += settlement.grossMinor
  total.feeMinor += settlement.feeMinor
  total.netMinor += settlement.netMinor
  total.refundedMinor += settlement.refundedMinor
  total.splitMinor += settlement.splitMinor ?? 0n
}

function newTotal(): CurrencyTotal {
  const sums = { grossMinor: 0n, feeMinor: 0n, netMinor: 0n, refundedMinor: 0n, splitMinor: 0n }
  return { count: 0, ...sums }
}

export function jsonTotals(totals: Totals): string {
  return `[${inOrder(totals)
    .map(([currency, total]) => jsonTotal(currency, total))
    .join(',')}]`
}

// A line for each currency, in the columns of the rows, so that the file keeps one shape. In place
// of the payment it says `total`: programs can tell the lines from the rows.
export function csvTotals(totals: Totals): string {
  return inOrder(totals)
    .map(([currency, total]) => csvTotal(currency, total))
    .join('')
}

function inOrder(totals: Totals): [currency: string, total: CurrencyTotal][] {
  return [...totals].sort(([one], [other]) => (one < other ? -1 : 1))
}

function csvTotal(currency: string, total: CurrencyTotal): string {
  const { decimals } = currencyOf(currency)
  const { split, ...others } = amountsOf(total)
  const major = Object.values(others).map((minor) => majorText(minor, decimals))
  const withoutRecipient = ['', majorText(split, decimals), '', '']
  const minor = [...Object.values(others), split]
  return ['total', currency, ...major, ...withoutRecipient, ...minor].join(',') + csvLineEnd
}

// Amounts are written as in the rows, with all decimals of the currency.
function jsonTotal(currency: string, total: CurrencyTotal): string {
  const { decimals } = currencyOf(currency)
  const amounts = Object.entries(amountsOf(total))
  const major = amounts.map(([name, minor]) => `,"${name}":${majorText(minor, decimals)}`)
  const minor = amounts.map(([name, minor]) => `,"${name}_minor":${minor}`)
  return `{"currency":"${currency}","count":${total.count}${major.join('')}${minor.join('')}}`
}

// In the order of the columns.
function amountsOf(total: CurrencyTotal) {
  return {
    gross: total.grossMinor,
    fee: total.feeMinor,
    net: total.netMinor,
    refunded: total.refundedMinor,
    net_settled: netSettledMinor(total),
    split: total.splitMinor,
  }
}
