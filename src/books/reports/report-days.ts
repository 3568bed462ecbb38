// Calendar days as text, for periods and fiscal years. Pure; a day has no time zone.
import { addDays, daysBetween } from '../../kernel/basics/calendar.ts'
import { invalidField } from '../../kernel/basics/fault.ts'

export type Period = { readonly from: string; readonly to: string }

export const comparisons = ['previous_period', 'previous_year'] as const
export type Comparison = (typeof comparisons)[number]

// The first day of the fiscal year that contains the day.
export function fiscalYearStart(day: string, startMonth: number): string {
  const { year, month } = partsOf(day)
  return dayOf(month >= startMonth ? year : year - 1, startMonth, 1)
}

export function dayBefore(day: string): string {
  return addDays(day, -1)
}

// The period to compare with. Before a period of whole months, it is as many whole months; before
// any other, as many days.
export function comparedPeriod({ from, to }: Period, comparison: Comparison): Period {
  if (comparison === 'previous_year') {
    return checked({ from: monthsBefore(from, 12), to: monthsBefore(to, 12) })
  }
  const last = dayBefore(from)
  if (partsOf(from).day === 1 && isMonthEnd(to)) {
    return checked({ from: monthsBefore(from, monthsBetween(from, to) + 1), to: last })
  }
  return checked({ from: addDays(last, -daysBetween(from, to)), to: last })
}

// The same for a single day: a month or a year before.
export function comparedDay(day: string, comparison: Comparison): string {
  const other = monthsBefore(day, comparison === 'previous_year' ? 12 : 1)
  return checked({ from: other, to: other }).to
}

// The last day of a month stays the last of its month; the first stays the first.
function monthsBefore(day: string, months: number): string {
  const parts = partsOf(day)
  const month = parts.month - months
  const last = partsOf(dayOf(parts.year, month + 1, 0)).day
  return dayOf(parts.year, month, isMonthEnd(day) ? last : Math.min(parts.day, last))
}

function monthsBetween(from: string, to: string): number {
  const [first, last] = [partsOf(from), partsOf(to)]
  return (last.year - first.year) * 12 + last.month - first.month
}

// The calendar months of a period; the first and last only as far as the period goes.
export function monthsOf({ from, to }: Period): Period[] {
  return Array.from({ length: monthsBetween(from, to) + 1 }, (_, index) => {
    const { year, month } = partsOf(from)
    const first = dayOf(year, month + index, 1)
    const last = dayOf(year, month + index + 1, 0)
    return { from: first < from ? from : first, to: last > to ? to : last }
  })
}

// Two years beside each other; more columns than that are not read.
const monthsMax = 24

export function requireMonths(period: Period): Period[] {
  const months = monthsOf(period)
  if (months.length > monthsMax) {
    throw invalidField('from', `A report by month has at most ${monthsMax} months.`)
  }
  return months
}

// The ends of the months before a day, and the day itself, oldest first.
export function monthEnds(day: string, count: number): string[] {
  const { year, month } = partsOf(day)
  const ends = Array.from({ length: count - 1 }, (_, index) =>
    dayOf(year, month - (count - 2 - index), 0),
  )
  const [first = day] = ends
  return [...checkedDays(first, ends), day]
}

function checkedDays(first: string, days: string[]): string[] {
  checked({ from: first, to: first })
  return days
}

function isMonthEnd(day: string): boolean {
  const parts = partsOf(day)
  return parts.day === partsOf(dayOf(parts.year, parts.month + 1, 0)).day
}

// Months and days beyond their range carry over, as in `Date.UTC`, which however treats years below
// 100 as 19xx.
function dayOf(year: number, month: number, day: number): string {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return textOf(date)
}

function partsOf(day: string): { year: number; month: number; day: number } {
  const date = atMidnight(day)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

function atMidnight(day: string): Date {
  return new Date(`${day}T00:00:00Z`)
}

// Years before year 0 have a sign and six digits, which is not a valid day for the database.
function textOf(date: Date): string {
  return date.toISOString().split('T')[0] ?? ''
}

function checked(period: Period): Period {
  if (!/^\d{4}-/.test(period.from) || period.from < '0001') {
    throw invalidField('compare', 'There is no period before this one.')
  }
  return period
}
