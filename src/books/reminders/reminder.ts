// Reminders of open invoices: which step of the schedule is due on which day.
//
// A step is a number of days from the due date. It is mailed on its day, or on the day after if the
// service was down. Of several steps, only the newest counts, so an outage of days leaves steps out
// instead of mailing them in a heap. Days and hours are those of the customer.
import { z } from 'zod'
import { addDays } from '../../kernel/basics/calendar.ts'
import { parseMailAddress } from '../../kernel/mail/mail.ts'
import { dayIn, hourIn } from '../settings/local-time.ts'

const stepsMax = 10
const stepDaysMax = 365
const countText = `Choose 1 to ${stepsMax} days.`
const rangeText = `Must be days from -${stepDaysMax} to ${stepDaysMax}.`

export const stepsSchema = z
  .array(z.int().min(-stepDaysMax, rangeText).max(stepDaysMax, rangeText))
  .min(1, countText)
  .max(stepsMax, countText)
  .transform((steps) => [...new Set(steps)].toSorted((one, other) => one - other))

export type ReminderSettings = {
  readonly isOn: boolean
  // Days from the due date, ascending: -3 is three days before it.
  readonly steps: readonly number[]
  // Steps of earlier days are never sent.
  readonly since: Date
}

export const defaultSteps: readonly number[] = [-3, 1, 7, 14]

export type StopKind = 'disputed' | 'reopened' | 'paused'

// What decides about the reminders of one open invoice.
export type ReminderFacts = {
  readonly documentId: string
  readonly number: string
  readonly currency: string
  readonly dueMinor: bigint
  readonly dueDate: string
  readonly sentAt: Date | null
  // When the due date was agreed, if it was changed; a day of the business.
  readonly dueChangedOn: string | null
  readonly contactId: string
  readonly contactName: string
  readonly email: string | null
  // Of the contact, or else of the business.
  readonly timeZone: string
  readonly stops: readonly StopKind[]
  // When a person last resumed it.
  readonly resumedAt: Date | null
  readonly isBeingPaid: boolean
  // The steps of this due date that were mailed, and the day of the last reminder of any.
  readonly sentSteps: readonly number[]
  readonly lastDay: string | null
}

// Mails arrive by day: from eight in the morning until eight in the evening.
const firstHour = 8
const endHour = 20

export function isDaytime(timeZone: string, now: Date): boolean {
  const hour = hourIn(timeZone, now)
  return hour >= firstHour && hour < endHour
}

// The step to mail on a day, if any.
function stepOn(
  settings: Pick<ReminderSettings, 'steps' | 'since'>,
  facts: ReminderFacts,
  day: string,
): number | undefined {
  const newest = settings.steps.findLast((step) => addDays(facts.dueDate, step) <= day)
  if (newest === undefined || facts.lastDay === day) return undefined
  const stepDay = addDays(facts.dueDate, newest)
  const isMissed = stepDay < addDays(day, -1) || stepDay < firstDay(settings, facts)
  return isMissed || facts.sentSteps.includes(newest) ? undefined : newest
}

export type ReminderProblem = StopKind | 'not_sent' | 'no_address'

// Why an open invoice is not reminded, if so.
export function reminderProblem({
  sentAt,
  stops,
  email,
}: Pick<ReminderFacts, 'sentAt' | 'stops' | 'email'>): ReminderProblem | undefined {
  const [stop] = stops
  if (stop) return stop
  if (!sentAt) return 'not_sent'
  return parseMailAddress(email ?? '') === undefined ? 'no_address' : undefined
}

// What is due now. Nothing at night, and while the customer is paying.
export function stepNow(
  settings: ReminderSettings,
  facts: ReminderFacts,
  now: Date,
): number | undefined {
  const { timeZone } = facts
  if (!settings.isOn || facts.isBeingPaid || reminderProblem(facts)) return undefined
  return isDaytime(timeZone, now) ? stepOn(settings, facts, dayIn(timeZone, now)) : undefined
}

export type PlannedReminder = { readonly day: string; readonly step: number }

// What will be mailed on which of the next days, if nothing changes.
export function planReminders(
  settings: Pick<ReminderSettings, 'steps' | 'since'>,
  facts: ReminderFacts,
  now: Date,
  days: number,
): PlannedReminder[] {
  const { timeZone } = facts
  const today = dayIn(timeZone, now)
  const planned: PlannedReminder[] = []
  for (let ahead = hourIn(timeZone, now) < endHour ? 0 : 1; ahead < days; ahead += 1) {
    const day = addDays(today, ahead)
    const sentSteps = [...facts.sentSteps, ...planned.map(({ step }) => step)]
    const step = stepOn(settings, { ...facts, sentSteps }, day)
    if (step !== undefined) planned.push({ day, step })
  }
  return planned
}

// Steps of earlier days are past: from before the schedule, the invoice or its due date, or from
// while it was stopped. The day on which the invoice itself was sent has no reminder.
function firstDay(
  { since }: Pick<ReminderSettings, 'since'>,
  { timeZone, sentAt, dueChangedOn, resumedAt }: ReminderFacts,
): string {
  const days = [
    dayIn(timeZone, since),
    ...(sentAt ? [addDays(dayIn(timeZone, sentAt), 1)] : []),
    ...(dueChangedOn === null ? [] : [dueChangedOn]),
    ...(resumedAt ? [dayIn(timeZone, resumedAt)] : []),
  ]
  return days.reduce((latest, day) => (day > latest ? day : latest))
}
