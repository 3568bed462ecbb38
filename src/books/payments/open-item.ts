// An open item: every posted document and every payment is one until it is used up. The sign is
// that of its line on the control account: an invoice is positive, a payment for it negative.
// Settling always uses an item of one sign against one of the other, with the same control account,
// contact and currency.
import { assert, assertDefined } from '../../kernel/basics/assert.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { digitsAt, multiply, parseDecimal, roundHalfAway } from '../../kernel/money/decimal.ts'
import { fromMinor } from '../../kernel/money/minor-units.ts'

export type OpenItem = {
  // The id of the document or payment.
  readonly id: string
  readonly source: 'document' | 'payment'
  readonly accountId: string
  readonly contactId: string
  readonly currency: string
  readonly date: string
  readonly dueDate: string
  // Decimal text.
  readonly fxRate: string
  readonly amountMinor: bigint
  readonly baseMinor: bigint
  readonly openMinor: bigint
  readonly openBaseMinor: bigint
}

// The book value of an amount of the item: at the item's own rate, and all that is left when
// nothing stays open, so that it closes to zero in both currencies. Never more than is left, which
// many small parts, each rounded up, would exceed: the open amount keeps its sign in both
// currencies.
export function carriedBaseMinor(
  item: OpenItem,
  amountMinor: bigint,
  baseCurrency: string,
): bigint {
  const isWithin =
    item.openMinor >= 0n
      ? amountMinor >= 0n && amountMinor <= item.openMinor
      : amountMinor <= 0n && amountMinor >= item.openMinor
  assert(isWithin, 'more of an open item is used than is open')
  if (amountMinor === item.openMinor) return item.openBaseMinor
  const exact = convertMinor(amountMinor, item.currency, item.fxRate, baseCurrency)
  return magnitude(exact) > magnitude(item.openBaseMinor) ? item.openBaseMinor : exact
}

function magnitude(minor: bigint): bigint {
  return minor < 0n ? -minor : minor
}

// The first day, not before the given one, from which on that much is always open. It is later than
// the item itself if something else had used it until that was undone.
export function usableFrom(
  openByDay: readonly { readonly date: string; readonly openMinor: bigint }[],
  amountMinor: bigint,
  wantedDate: string,
): string {
  const short = openByDay.findLast(({ openMinor }) => magnitude(openMinor) < amountMinor)
  const free = openByDay.find(({ date }) => short === undefined || date > short.date)
  const first = assertDefined(free, 'more of an open item is used than is open').date
  return wantedDate > first ? wantedDate : first
}

// base = foreign × rate, rounded once, half away from zero.
export function convertMinor(
  amountMinor: bigint,
  currency: string,
  fxRate: string,
  baseCurrency: string,
): bigint {
  const from = currencyOf(currency)
  const to = currencyOf(baseCurrency)
  const rate = assertDefined(parseDecimal(fxRate), 'a rate that is no number')
  const exact = multiply(fromMinor(amountMinor, from), rate)
  return digitsAt(roundHalfAway(exact, to.decimals), to.decimals)
}
