// Shared by all calls of the adapter: reads the fields of an answer that matter, or treats the
// whole answer as unknown.
import { currencyOf } from '../../kernel/money/currency.ts'
import type { Decimal } from '../../kernel/money/decimal.ts'
import { fromMinor } from '../../kernel/money/minor-units.ts'
import type { Envelope } from './flutterwave-client.ts'
import { isFields, objectOf, textOf } from './flutterwave-fields.ts'
import type { Outcome } from './provider.ts'

export function read<Value>(
  answer: Outcome<Envelope>,
  from: (envelope: Envelope) => Value | undefined,
): Outcome<Value> {
  if (answer.kind !== 'success') return answer
  const value = from(answer.value)
  return value === undefined ? unreadable('fields are missing') : { kind: 'success', value }
}

export function unreadable(what: string): { kind: 'unknown'; cause: string } {
  return { kind: 'unknown', cause: `an invalid answer: ${what}` }
}

// The refusal of a query tells us nothing.
export function unsettled(outcome: Exclude<Outcome<unknown>, { kind: 'success' }>): {
  kind: 'unknown'
  cause: string
} {
  return outcome.kind === 'unknown' ? outcome : { kind: 'unknown', cause: outcome.reason }
}

// All or nothing: a missing entry would look like one that does not exist.
export function readAll<Value>(
  data: unknown,
  from: (entry: unknown) => Value | undefined,
): Value[] | undefined {
  // For "none", the provider sometimes sends nothing instead of an empty list.
  if (data === null || data === undefined) return []
  if (!Array.isArray(data)) return undefined
  const entries = data.map(from)
  return entries.every((entry) => entry !== undefined) ? entries : undefined
}

// For lists of the whole account: entries of other programs may have no reference, and are not
// ours. Entries with a reference are still read completely or not at all.
export function readReferenced<Value>(
  data: unknown,
  from: (entry: unknown) => Value | undefined,
): Value[] | undefined {
  if (!Array.isArray(data)) return readAll(data, from)
  return readAll(
    data.filter((entry) => !isFields(entry) || textOf(entry, 'tx_ref') !== undefined),
    from,
  )
}

export function countOf(data: unknown): number {
  return Array.isArray(data) ? data.length : 0
}

export function hasMore({ meta }: Envelope, page: number, count: number): boolean {
  const info = isFields(meta) ? objectOf(meta, 'page_info') : {}
  const pages = textOf(info, 'total_pages')
  // Without page information, an empty page is the last.
  return pages === undefined ? count > 0 : page < Number.parseInt(pages, 10)
}

export function majorUnits(amountMinor: bigint, code: string): Decimal {
  return fromMinor(amountMinor, currencyOf(code))
}
