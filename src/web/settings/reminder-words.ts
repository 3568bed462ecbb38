// How the application names the steps of reminders, and why an invoice is not reminded.
import type { ReminderProblem } from '../../books/reminders/reminder.ts'

export function stepText(step: number): string {
  return step === 0 ? 'on the due date' : `${shortStepText(step)} the due date`
}

export function shortStepText(step: number): string {
  if (step === 0) return 'due date'
  const days = Math.abs(step)
  return `${days} ${days === 1 ? 'day' : 'days'} ${step < 0 ? 'before' : 'after'}`
}

export const problemTexts: Readonly<Record<ReminderProblem, string>> = {
  disputed: 'Disputed',
  reopened: 'Refunded',
  paused: 'Contact paused',
  not_sent: 'Not sent yet',
  no_address: 'No e-mail address',
}
