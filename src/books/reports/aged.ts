// What contacts owe us, or we owe them, by how long it is overdue. Amounts in the direction of the
// report are positive; unused credits are shown separately and negative, so that the total is the
// balance of the control account.
import { assertDefined } from '../../kernel/basics/assert.ts'
import { daysBetween } from '../../kernel/basics/calendar.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { fromMinor } from '../../kernel/money/minor-units.ts'
import { presentFigures } from './report-schema.ts'

export type OpenOnDay = {
  readonly id: string
  readonly source: 'document' | 'payment'
  readonly contactId: string
  readonly contactName: string
  // Of a document; null for a payment.
  readonly kind: string | null
  readonly number: string | null
  readonly reference: string | null
  readonly date: string
  readonly dueDate: string
  readonly currency: string
  // Debits are positive.
  readonly openMinor: bigint
  readonly openBaseMinor: bigint
}

// What is owed by how long it is overdue, in minor units of the base currency.
export type OpenTotals = {
  readonly current: bigint
  readonly days1To30: bigint
  readonly days31To60: bigint
  readonly days61To90: bigint
  readonly daysOver90: bigint
  readonly overdueInvoices: number
}

export const agedSides = ['receivables', 'payables'] as const
export type AgedSide = (typeof agedSides)[number]

// By the last day overdue that belongs to it.
const buckets = [
  { key: 'current', daysMax: 0 },
  { key: 'days_1_30', daysMax: 30 },
  { key: 'days_31_60', daysMax: 60 },
  { key: 'days_61_90', daysMax: 90 },
  { key: 'days_over_90', daysMax: Number.POSITIVE_INFINITY },
] as const
export type Bucket = (typeof buckets)[number]['key'] | 'unapplied'

const columns: readonly Bucket[] = [...buckets.map(({ key }) => key), 'unapplied']

type Aged = OpenOnDay & { readonly bucket: Bucket; readonly daysOverdue: number }

export function aged(items: readonly OpenOnDay[], side: AgedSide, asOf: string, currency: string) {
  const placed = items.map((item) => place(item, side, asOf))
  const contacts = Map.groupBy(placed, ({ contactId }) => contactId)
  return {
    contacts: [...contacts].map(([contactId, own]) => ({
      contact_id: contactId,
      name: assertDefined(own[0], 'a contact without an item').contactName,
      ...totals(own, currency),
      items: own.map((item) => presentItem(item, currency)),
    })),
    totals: totals(placed, currency),
  }
}

function place(item: OpenOnDay, side: AgedSide, asOf: string): Aged {
  const sign = side === 'receivables' ? 1n : -1n
  const openMinor = sign * item.openMinor
  const openBaseMinor = sign * item.openBaseMinor
  const daysOverdue = daysBetween(item.dueDate, asOf)
  const bucket =
    openBaseMinor < 0n || openMinor < 0n
      ? 'unapplied'
      : assertDefined(
          buckets.find(({ daysMax }) => daysOverdue <= daysMax),
          'no bucket',
        ).key
  return { ...item, openMinor, openBaseMinor, bucket, daysOverdue }
}

function totals(items: readonly Aged[], currency: string) {
  const sums = Object.fromEntries(columns.map((column) => [column, 0n])) as Record<Bucket, bigint>
  let total = 0n
  for (const { bucket, openBaseMinor } of items) {
    sums[bucket] += openBaseMinor
    total += openBaseMinor
  }
  return presentFigures([{ ...sums, total }], currency)
}

function presentItem(item: Aged, baseCurrency: string) {
  const currency = currencyOf(item.currency)
  return {
    id: item.id,
    // A document, or a payment.
    source: item.source,
    kind: item.kind,
    number: item.number,
    reference: item.reference,
    date: item.date,
    due_date: item.dueDate,
    bucket: item.bucket,
    days_overdue: item.bucket === 'unapplied' ? 0 : Math.max(item.daysOverdue, 0),
    currency: item.currency,
    open: fromMinor(item.openMinor, currency),
    ...presentFigures([{ open_base: item.openBaseMinor }], baseCurrency),
  }
}
