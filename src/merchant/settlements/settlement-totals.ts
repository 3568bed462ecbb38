// The sums of an answer, per currency, added up while its rows are written, so that the two cannot
// disagree. An amount of a row is a safe integer (they stop at 10^15 minor units), but a sum need
// not be: it is carried over into a bigint before it could lose a digit. To add bigints for every
// row would take longer than to read the rows.
import { assertDefined } from '../../kernel/basics/assert.ts'
import { findCurrency } from '../../kernel/money/currency.ts'
import { majorText } from '../../kernel/money/minor-units.ts'

type Sum = { carriedMinor: bigint; restMinor: number }

export type CurrencyTotal = {
  readonly currency: string
  readonly code: Uint8Array
  readonly decimals: number
  count: number
  readonly gross: Sum
  readonly fee: Sum
  readonly net: Sum
  readonly refunded: Sum
  readonly split: Sum
}

export type Totals = Map<string, CurrencyTotal>

// So far from the last safe integer that one more amount always fits.
const restMinorMax = 2 ** 52

export function add(sum: Sum, amountMinor: number): void {
  sum.restMinor += amountMinor
  if (sum.restMinor > restMinorMax || sum.restMinor < -restMinorMax) {
    sum.carriedMinor += BigInt(sum.restMinor)
    sum.restMinor = 0
  }
}

export function totalOf(totals: Totals, currency: string): CurrencyTotal {
  const known = totals.get(currency)
  if (known) return known
  const { decimals } = assertDefined(findCurrency(currency), `the unknown currency ${currency}`)
  const total = {
    currency,
    code: Buffer.from(currency, 'latin1'),
    decimals,
    count: 0,
    gross: nothing(),
    fee: nothing(),
    net: nothing(),
    refunded: nothing(),
    split: nothing(),
  }
  totals.set(currency, total)
  return total
}

// As JSON, with the amounts written as the rows write them.
export function jsonTotals(totals: Totals): string {
  const inOrder = [...totals.values()].sort((one, other) =>
    one.currency < other.currency ? -1 : 1,
  )
  return `[${inOrder.map(jsonTotal).join(',')}]`
}

function jsonTotal({ currency, decimals, count, ...sums }: CurrencyTotal): string {
  const amounts = Object.entries({
    gross: whole(sums.gross),
    fee: whole(sums.fee),
    net: whole(sums.net),
    refunded: whole(sums.refunded),
    net_settled: whole(sums.net) - whole(sums.refunded),
    split: whole(sums.split),
  })
  const major = amounts.map(([name, minor]) => `,"${name}":${majorText(String(minor), decimals)}`)
  const minor = amounts.map(([name, minor]) => `,"${name}_minor":${minor}`)
  return `{"currency":"${currency}","count":${count}${major.join('')}${minor.join('')}}`
}

const nothing = (): Sum => ({ carriedMinor: 0n, restMinor: 0 })
const whole = ({ carriedMinor, restMinor }: Sum) => carriedMinor + BigInt(restMinor)
