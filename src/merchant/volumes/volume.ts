// What a business took in over some days, and what became of it, per currency.
//
//   volume what payers paid, on the day they paid
//   net volume − fees − shares of recipients − refunds
//   refunds those that the provider has accepted, on the day they were asked for
//   payouts those that reached the bank, on the day they did
import { addDays } from '../../kernel/basics/calendar.ts'

export type Figures = {
  readonly count: number
  readonly volumeMinor: bigint
  readonly feeMinor: bigint
  readonly splitMinor: bigint
  readonly refundMinor: bigint
  readonly payoutMinor: bigint
}

export type DayFigures = Figures & { readonly day: string }

// As read: days without a movement are missing.
export type MovedOnDay = DayFigures & { readonly currency: string }

// Payments that began in a period and have ended.
export type Outcomes = { readonly succeeded: number; readonly failed: number }

export type CurrencyVolume = {
  readonly currency: string
  readonly today: Figures
  readonly current: Figures
  readonly previous: Figures
  // Every day of the period, the oldest first, and of the one before it.
  readonly days: readonly DayFigures[]
  readonly daysBefore: readonly DayFigures[]
}

export function netMinor(figures: Figures): bigint {
  const { volumeMinor, feeMinor, splitMinor, refundMinor } = figures
  return volumeMinor - feeMinor - splitMinor - refundMinor
}

// The currency with the most payments first. `today` is the last day of the current period.
export function volumesOf(
  moved: readonly MovedOnDay[],
  today: string,
  dayCount: number,
): CurrencyVolume[] {
  const byCurrency = Map.groupBy(moved, ({ currency }) => currency)
  return [...byCurrency]
    .map(([currency, rows]) => volumeOf(currency, rows, today, dayCount))
    .toSorted(
      (one, other) =>
        other.current.count - one.current.count || (one.currency < other.currency ? -1 : 1),
    )
}

function volumeOf(
  currency: string,
  rows: readonly MovedOnDay[],
  today: string,
  dayCount: number,
): CurrencyVolume {
  const daysUntil = (last: string) =>
    Array.from({ length: dayCount }, (_, index) => {
      const day = addDays(last, index + 1 - dayCount)
      return { day, ...sum(rows.filter((row) => row.day === day)) }
    })
  const days = daysUntil(today)
  const daysBefore = daysUntil(addDays(today, -dayCount))
  return {
    currency,
    today: sum(days.slice(-1)),
    current: sum(days),
    previous: sum(daysBefore),
    days,
    daysBefore,
  }
}

function sum(figures: readonly Figures[]): Figures {
  const total = (part: (one: Figures) => bigint) =>
    figures.reduce((result, one) => result + part(one), 0n)
  return {
    count: figures.reduce((result, { count }) => result + count, 0),
    volumeMinor: total(({ volumeMinor }) => volumeMinor),
    feeMinor: total(({ feeMinor }) => feeMinor),
    splitMinor: total(({ splitMinor }) => splitMinor),
    refundMinor: total(({ refundMinor }) => refundMinor),
    payoutMinor: total(({ payoutMinor }) => payoutMinor),
  }
}
