// The start and end of subscription periods. Every period is counted from the day of the first
// charge, not from the period before, so that a shortened month end recovers: 31 January, 28
// February, 31 March; 29 February, 28 February, …, 29 February.
//
// Days are text, `2028-02-29`, as in the database: a day has no time zone until its start in a time
// zone is computed.
import { assert, assertDefined } from '../../kernel/basics/assert.ts'
import { addDays, daysBetween } from '../../kernel/basics/calendar.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'

export const intervalUnits = ['day', 'week', 'month', 'year'] as const
export type IntervalUnit = (typeof intervalUnits)[number]

export type Interval = { readonly unit: IntervalUnit; readonly count: number }

// The first period has the number 1 and starts on the anchor.
export function periodStart(anchorDay: string, { unit, count }: Interval, number: number): string {
  assert(Number.isSafeInteger(number) && number >= 1, `a period ${number}`)
  const steps = (number - 1) * count
  switch (unit) {
    case 'day':
      return addDays(anchorDay, steps)
    case 'week':
      return addDays(anchorDay, steps * 7)
    case 'month':
      return addMonths(anchorDay, steps)
    case 'year':
      return addMonths(anchorDay, steps * 12)
  }
}

// The number of the period that contains a day; 0 for a day before the anchor.
export function periodOn(anchorDay: string, interval: Interval, day: string): number {
  if (day < anchorDay) return 0
  // No period is shorter than this many days, so the search starts at or after the right one.
  const daysMin = { day: 1, week: 7, month: 28, year: 365 }[interval.unit] * interval.count
  let number = Math.floor(daysBetween(anchorDay, day) / daysMin) + 1
  while (number > 1 && periodStart(anchorDay, interval, number) > day) number -= 1
  return number
}

// The current day in a time zone.
export function localDay(moment: Date, timeZone: string): string {
  const parts = formatterOf(timeZone).formatToParts(moment)
  const part = (type: string) =>
    assertDefined(parts.find((one) => one.type === type)?.value, `a day without its ${type}`)
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
}

// The first moment of a day in a time zone, to the second. If the clock skips midnight, it is after
// midnight; if the zone skips the whole day, it is the first moment of the next.
export function startOfDay(day: string, timeZone: string): Date {
  // No zone is further from UTC than 15 hours.
  const spread = 15 * 60 * 60
  const midnight = new Date(`${day}T00:00:00.000Z`)
  let before = -spread
  let from = spread
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2)
    if (localDay(addSeconds(midnight, middle), timeZone) >= day) from = middle
    else before = middle
  }
  return addSeconds(midnight, from)
}

export function isTimeZone(name: string): boolean {
  try {
    formatterOf(name)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

// Creating a formatter takes longer than using it a thousand times. There are some hundred zones.
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known) return known
  const numeric = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  const calendar = { calendar: 'iso8601', numberingSystem: 'latn' }
  const formatter = new Intl.DateTimeFormat('en', { timeZone, ...numeric, ...calendar })
  formatters.set(timeZone, formatter)
  return formatter
}

// If a month is too short, its last day is used.
function addMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map((part) => Number.parseInt(part, 10))
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0))
  last.setUTCDate(Math.min(date, last.getUTCDate()))
  return textOf(last)
}

function textOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}
