// Periods that people choose, in days of the business's time zone.
import { addDays } from '../../kernel/basics/calendar.ts'
import { localDay } from '../../merchant/subscriptions/billing-period.ts'

export const periodLabels = {
  today: 'Today',
  yesterday: 'Yesterday',
  'last-7-days': 'Last 7 days',
  'last-30-days': 'Last 30 days',
  'this-month': 'This month',
  'last-month': 'Last month',
} as const

export type PeriodName = keyof typeof periodLabels

export type Days = { readonly from: string; readonly to: string }

export function findPeriod(name: string | null): PeriodName | undefined {
  return Object.keys(periodLabels).find((one): one is PeriodName => one === name)
}

export function daysOf(period: PeriodName, now: Date, zone: string): Days {
  const today = localDay(now, zone)
  const monthStart = `${today.slice(0, 7)}-01`
  switch (period) {
    case 'today':
      return { from: today, to: today }
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) }
    case 'last-7-days':
      return { from: addDays(today, -6), to: today }
    case 'last-30-days':
      return { from: addDays(today, -29), to: today }
    case 'this-month':
      return { from: monthStart, to: today }
    case 'last-month': {
      const lastDay = addDays(monthStart, -1)
      return { from: `${lastDay.slice(0, 7)}-01`, to: lastDay }
    }
  }
}
