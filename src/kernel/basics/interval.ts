// Days that come again: the periods of a subscription, the documents of a schedule. Every period is
// counted from the first day, not from the period before, so that a shortened month end recovers:
// 31 January, 28 February, 31 March; 29 February, 28 February, …, 29 February.
import { assert } from './assert.ts'
import { addDays, daysBetween } from './calendar.ts'

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
