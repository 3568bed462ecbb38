// What the books should contain, as simply as possible: documents and payments with a signed
// amount, and allocations between them, each with its day. Everything else is computed from these.
import type { DocumentKind } from '../../../src/books/documents/document-status.ts'

export const days = [
  ...['2025-11-20', '2025-12-05', '2025-12-31', '2026-01-01', '2026-01-15', '2026-01-31'],
  ...['2026-02-10', '2026-02-28', '2026-03-01', '2026-03-20', '2026-04-30', '2026-06-30'],
]

export type Control = 'receivable' | 'payable' | 'expense_claims'

export type Item = {
  readonly id: string
  readonly kind: DocumentKind | 'payment' | 'write_off'
  readonly control: Control
  readonly contactId: string
  readonly currency: string
  readonly date: string
  // A debit is positive.
  readonly amountMinor: bigint
  // The payment of the payment service that it reports.
  readonly externalId?: string
  // The day on which it was voided or removed.
  endedOn?: string
}

export type Use = {
  id?: string
  readonly debitId: string
  readonly creditId: string
  readonly amountMinor: bigint
  readonly date: string
  removedOn?: string
}

export type Model = {
  readonly items: Item[]
  readonly uses: Use[]
  readonly journals: { readonly id: string; readonly date: string; isReversed: boolean }[]
  // The status of each document when it was last looked at, and how often it became paid.
  readonly seen: Map<string, { readonly status: string; readonly paidTimes: number }>
  // What was reached, by name.
  readonly tally: (name: string) => void
}

export const size = (minor: bigint): bigint => (minor < 0n ? -minor : minor)

export function usesOf({ uses }: Model, { id }: Item): Use[] {
  return uses.filter(({ debitId, creditId }) => debitId === id || creditId === id)
}

export const standing = (use: Use): boolean => use.removedOn === undefined

// What is open now, without its sign.
export function openOf(model: Model, item: Item): bigint {
  if (item.endedOn !== undefined) return 0n
  const used = usesOf(model, item).filter(standing)
  return used.reduce((rest, use) => rest - use.amountMinor, size(item.amountMinor))
}

// What was open at the end of a day, with its sign.
export function openOn(model: Model, item: Item, day: string): bigint {
  if (day < item.date || (item.endedOn !== undefined && day >= item.endedOn)) return 0n
  const used = usesOf(model, item).filter(
    (use) => use.date <= day && (use.removedOn === undefined || use.removedOn > day),
  )
  const rest = used.reduce((left, use) => left - use.amountMinor, size(item.amountMinor))
  return item.amountMinor < 0n ? -rest : rest
}

// The first day, not before the wanted one, from which on so much is always open.
export function usableFrom(model: Model, item: Item, amountMinor: bigint, wanted: string): string {
  const short = days.findLast((day) => size(openOn(model, item, day)) < amountMinor)
  const free = days.find((day) => short === undefined || day > short) ?? ''
  return wanted > free ? wanted : free
}

// The last day on which something about it happened.
export function lastMove(model: Model, item: Item): string {
  const moved = usesOf(model, item).flatMap((use) => [use.date, use.removedOn ?? use.date])
  return [item.date, ...moved].reduce((one, other) => (one > other ? one : other))
}

export function itemOf({ items }: Model, id: string): Item {
  const item = items.find((one) => one.id === id)
  if (!item) throw new Error('the model does not know it')
  return item
}

export function otherSide(use: Use, { id }: Item): string {
  return use.debitId === id ? use.creditId : use.debitId
}

export const isDocument = ({ kind }: Item): boolean => kind !== 'payment' && kind !== 'write_off'

// What a use is for the documents on its sides.
export function usedAs(model: Model, use: Use): 'paidMinor' | 'creditedMinor' | 'writtenOffMinor' {
  const kinds = [use.debitId, use.creditId].map((id) => itemOf(model, id).kind)
  if (kinds.includes('write_off')) return 'writtenOffMinor'
  return kinds.includes('payment') ? 'paidMinor' : 'creditedMinor'
}
