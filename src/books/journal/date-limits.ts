// How far from today something can be dated. Money moves on a day that has come. Other entries can
// be ahead (next month's rent, an accrual), but a mistyped year must not stay in the books for
// decades, where reports up to today never show it, or show nothing else.
import { addDays } from '../../kernel/basics/calendar.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import type { BooksContext } from '../context.ts'
import { firstBookDay } from '../input/day-input.ts'
import { type Organisation, today } from '../settings/organisation.ts'

const daysAheadMax = 366
const yearsBackMax = 10

export type PostingContext = Pick<BooksContext, 'clock' | 'ids' | 'confirmsOldDate'>

export function requireNotFuture(organisation: Organisation, now: Date, date: string): void {
  const current = today(organisation, now)
  if (date <= current) return
  throw invalidField('date', `Money that moves must be dated today (${current}) or earlier.`)
}

// By the day in UTC: the hour does not matter, and every entry passes here.
export function requirePostingDate(context: Omit<PostingContext, 'ids'>, date: string): void {
  const current = context.clock.now().toISOString().slice(0, 10)
  if (date > addDays(current, daysAheadMax)) {
    throw invalidField('date', `${date} is more than a year ahead. Check the year.`)
  }
  if (date < firstBookDay) throw invalidField('date', `Must not be before ${firstBookDay}.`)
  const year = Number.parseInt(current.slice(0, 4), 10) - yearsBackMax
  if (date >= `${year}${current.slice(4)}` || context.confirmsOldDate) return
  throw invalidField(
    'date',
    `${date} is more than ten years back. Check the year, or send confirms_old_date: true.`,
  )
}
