// Statements of account that are mailed by themselves: which month is due for which contact.
//
// The month is one of the business, whose days its books have. Its statement is mailed from the
// first day after it, by day, where the customer is. After some days it is left out: a customer who
// gets a statement weeks late learns nothing from it.
import { addDays } from '../../../kernel/basics/calendar.ts'
import { parseMailAddress } from '../../../kernel/mail/mail.ts'
import { isDaytime } from '../../reminders/reminder.ts'
import type { Period } from '../../reports/report-days.ts'
import { dayIn } from '../../settings/local-time.ts'

export type StatementSettings = {
  readonly isOn: boolean
  // When it was switched: months that had ended by then are never sent.
  readonly since: Date
}

// One that was mailed.
export type MonthlyStatement = {
  // Also of the mail.
  readonly id: string
  readonly contactId: string
  // Its first day.
  readonly month: string
  readonly recipient: string
  readonly createdAt: Date
}

// What decides about the statement of one contact that has something to be told.
export type StatementFacts = {
  readonly contactId: string
  readonly contactName: string
  readonly email: string | null
  // Of the contact, or else of the business.
  readonly timeZone: string
  readonly isStopped: boolean
  // When a person last resumed it.
  readonly resumedAt: Date | null
}

// How many days after the first one a statement can still be mailed.
const lateDaysMax = 3

// The calendar month of a day.
export function monthOf(day: string): Period {
  const from = `${day.slice(0, 7)}-01`
  // The first of the next month is 28 to 31 days later.
  const next = `${addDays(from, 31).slice(0, 7)}-01`
  return { from, to: addDays(next, -1) }
}

// The last month, while its statements can still be mailed.
export function monthNow(businessZone: string, now: Date): Period | undefined {
  const today = dayIn(businessZone, now)
  const { from } = monthOf(today)
  return today > addDays(from, lateDaysMax) ? undefined : monthOf(addDays(from, -1))
}

export type StatementProblem = 'stopped' | 'no_address'

// Why a contact gets no statement, if so.
export function statementProblem({
  isStopped,
  email,
}: Pick<StatementFacts, 'isStopped' | 'email'>): StatementProblem | undefined {
  if (isStopped) return 'stopped'
  return parseMailAddress(email ?? '') === undefined ? 'no_address' : undefined
}

export function isDueNow(
  { isOn, since }: StatementSettings,
  businessZone: string,
  facts: StatementFacts,
  { to }: Period,
  now: Date,
): boolean {
  const { timeZone, resumedAt } = facts
  if (!isOn || statementProblem(facts) || !isDaytime(timeZone, now)) return false
  const hadEnded = (moment: Date) => dayIn(businessZone, moment) > to
  if (hadEnded(since) || (resumedAt && hadEnded(resumedAt))) return false
  const day = dayIn(timeZone, now)
  return day > to && day <= addDays(to, 1 + lateDaysMax)
}
