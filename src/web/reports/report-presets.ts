// The periods and days that people ask for most. Every choice leads to an address with the days
// themselves, so that a link shows the same figures tomorrow.

import { dayBefore, fiscalYearStart, type Period } from '../../books/reports/report-days.ts'
import { addDays } from '../../kernel/basics/calendar.ts'

export type Choice<Value> = { readonly label: string; readonly value: Value }

export function periodChoices(today: string, fiscalYearStartMonth: number): Choice<Period>[] {
  const month = monthOf(today)
  const quarter = quarterOf(today, fiscalYearStartMonth)
  const year = yearOf(today, fiscalYearStartMonth)
  return [
    { label: 'This month', value: month },
    { label: 'Last month', value: monthOf(dayBefore(month.from)) },
    { label: 'This quarter', value: quarter },
    { label: 'Last quarter', value: quarterOf(dayBefore(quarter.from), fiscalYearStartMonth) },
    { label: 'This year', value: year },
    { label: 'Last year', value: yearOf(dayBefore(year.from), fiscalYearStartMonth) },
  ]
}

export function dayChoices(today: string, fiscalYearStartMonth: number): Choice<string>[] {
  const quarter = quarterOf(today, fiscalYearStartMonth)
  return [
    { label: 'Today', value: today },
    { label: 'End of last month', value: dayBefore(monthOf(today).from) },
    { label: 'End of last quarter', value: dayBefore(quarter.from) },
    { label: 'End of last year', value: dayBefore(fiscalYearStart(today, fiscalYearStartMonth)) },
  ]
}

function monthOf(day: string): Period {
  const from = `${day.slice(0, 7)}-01`
  return { from, to: endOf(from, 1) }
}

// Quarters are counted from the start of the fiscal year.
function quarterOf(day: string, fiscalYearStartMonth: number): Period {
  const starts = [0, 3, 6, 9].map((months) =>
    monthsAfter(fiscalYearStart(day, fiscalYearStartMonth), months),
  )
  const from = starts.findLast((start) => start <= day) ?? day
  return { from, to: endOf(from, 3) }
}

function yearOf(day: string, fiscalYearStartMonth: number): Period {
  const from = fiscalYearStart(day, fiscalYearStartMonth)
  return { from, to: endOf(from, 12) }
}

function endOf(from: string, months: number): string {
  return addDays(monthsAfter(from, months), -1)
}

// Of a first day of a month.
function monthsAfter(firstDay: string, months: number): string {
  const [year = 0, month = 1] = firstDay.split('-').map((part) => Number.parseInt(part, 10))
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10)
}
