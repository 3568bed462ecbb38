// How far ahead something may be dated. Money moved on a day that has come. What is agreed may lie
// ahead (next month's rent, an accrual), but a year that was mistyped must not lie in the books for
// decades, where reports up to today never show it.

import { addDays } from '../../kernel/basics/calendar.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import { type Organisation, today } from '../settings/organisation.ts'

const daysAheadMax = 366

export function requireNotFuture(organisation: Organisation, now: Date, date: string): void {
  const current = today(organisation, now)
  if (date <= current) return
  throw invalidField('date', `Money is booked when it has moved, at the latest today, ${current}.`)
}

// By the day in Greenwich: nothing hangs on the hour, and every entry passes here.
export function requireNotFarAhead(now: Date, date: string): void {
  const last = addDays(now.toISOString().slice(0, 10), daysAheadMax)
  if (date <= last) return
  throw invalidField('date', `${date} is more than a year ahead. Check the year.`)
}
