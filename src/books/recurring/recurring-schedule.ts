// A schedule that makes an invoice, a bill or a manual journal for each of its periods. Pure; the
// worker and the operations lock the row and write what these functions say.
import { daysBetween } from '../../kernel/basics/calendar.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import { type IntervalUnit, periodOn, periodStart } from '../../kernel/basics/interval.ts'
import type { DocumentKind, DocumentStatus } from '../documents/document-status.ts'
import type { DocumentTemplate, JournalTemplate } from './recurring-template.ts'

export const recurringKinds = ['invoice', 'bill', 'journal'] as const
export type RecurringKind = (typeof recurringKinds)[number]
export type RecurringDocumentKind = Exclude<RecurringKind, 'journal'>

// Left as a draft; posted (issued, approved); or, of an invoice, issued and mailed.
export const recurringModes = ['draft', 'post', 'send'] as const
export type RecurringMode = (typeof recurringModes)[number]

export type RecurringStatus = 'active' | 'paused' | 'ended'

// After so many days nothing is issued, sent or posted by itself any more: people may have done it
// by hand meanwhile, and a customer is surprised by an old invoice.
const lateAfterDays = 3

export type RecurringSchedule = {
  readonly id: string
  readonly kind: RecurringKind
  readonly name: string
  readonly contactId: string | null
  readonly template: DocumentTemplate | JournalTemplate
  readonly currency: string | null
  readonly totalMinor: bigint | null
  readonly mode: RecurringMode
  // The subscription at the payment service whose saved card is charged for each invoice, and the
  // most that its customer agreed to.
  readonly subscriptionId: string | null
  readonly chargeMaxMinor: bigint | null
  readonly intervalUnit: IntervalUnit
  readonly intervalCount: number
  // The day of the period with the anchor's number. All later ones are counted from it.
  readonly anchorDay: string
  readonly anchorNumber: number
  // Inclusive. At most one of the two is set.
  readonly endDay: string | null
  readonly times: number | null
  readonly status: RecurringStatus
  readonly nextNumber: number
  // Null once it has ended.
  readonly nextDay: string | null
  readonly madeCount: number
  readonly authorPersonId: string | null
  readonly problem: string | null
  readonly tryAt: Date
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly version: number
}

export type Rhythm = Pick<
  RecurringSchedule,
  'intervalUnit' | 'intervalCount' | 'anchorDay' | 'anchorNumber' | 'endDay' | 'times'
>

export type Course = Rhythm &
  Pick<RecurringSchedule, 'status' | 'nextNumber' | 'nextDay' | 'madeCount'>

export type RecurringPeriod = {
  readonly scheduleId: string
  readonly number: number
  readonly day: string
  readonly status: 'posting' | 'sending' | 'made' | 'waiting' | 'skipped'
  readonly documentId: string | null
  readonly journalId: string | null
  readonly journal: JournalTemplate | null
  readonly reason: string | null
  // Of a schedule that charges a card. due: to be charged; charged: the payment service has the
  // charge; left: not charged, and the note says why.
  readonly charge: 'due' | 'charged' | 'left' | null
  readonly chargeNote: string | null
  readonly createdAt: Date
  readonly endedAt: Date | null
}

export type ListedSchedule = RecurringSchedule & {
  readonly contactName: string | null
  // The newest one that it made.
  readonly lastDay: string | null
  readonly lastDocumentId: string | null
  readonly lastNumber: string | null
}

export type NamedPeriod = RecurringPeriod & {
  readonly documentKind: DocumentKind | null
  readonly documentStatus: DocumentStatus | null
  readonly documentNumber: string | null
  // The entry of its journal.
  readonly sequence: bigint | null
}

const intervalOf = ({ intervalUnit: unit, intervalCount: count }: Rhythm) => ({ unit, count })

export function dayOf(rhythm: Rhythm, number: number): string {
  return periodStart(rhythm.anchorDay, intervalOf(rhythm), number - rhythm.anchorNumber + 1)
}

// Where the schedule stands when the period is over. A skipped one does not count as made.
export function afterPeriod(course: Course, { isMade }: { readonly isMade: boolean }) {
  const nextNumber = course.nextNumber + 1
  const madeCount = course.madeCount + (isMade ? 1 : 0)
  return { ...nextOf(course, nextNumber, madeCount), madeCount, problem: null }
}

export function nextOf(
  { status, ...rhythm }: Rhythm & Pick<Course, 'status'>,
  nextNumber: number,
  madeCount: number,
): Pick<Course, 'status' | 'nextNumber' | 'nextDay'> {
  const day = dayOf(rhythm, nextNumber)
  const isOver =
    (rhythm.endDay !== null && day > rhythm.endDay) ||
    (rhythm.times !== null && madeCount >= rhythm.times)
  return { status: isOver ? 'ended' : status, nextNumber, nextDay: isOver ? null : day }
}

export function isDue({ status, nextDay }: Course, today: string): boolean {
  return status === 'active' && nextDay !== null && nextDay <= today
}

export function isLate(day: string, today: string): boolean {
  return daysBetween(day, today) > lateAfterDays
}

// The periods that passed before a day, such as while the schedule was paused.
export function passedPeriods(course: Course, today: string): { number: number; day: string }[] {
  if (course.nextDay === null || course.nextDay >= today) return []
  const newest = periodOn(course.anchorDay, intervalOf(course), today) + course.anchorNumber - 1
  const passed: { number: number; day: string }[] = []
  for (let number = course.nextNumber; number <= newest; number += 1) {
    const day = dayOf(course, number)
    if (day < today && (course.endDay === null || day <= course.endDay))
      passed.push({ number, day })
  }
  return passed
}

export function upcomingDays(course: Course, count: number): string[] {
  const days: string[] = []
  let { nextNumber, madeCount, nextDay } = course
  while (nextDay !== null && days.length < count) {
    days.push(nextDay)
    nextNumber += 1
    madeCount += 1
    nextDay = nextOf(course, nextNumber, madeCount).nextDay
  }
  return days
}

// `every month`, `every 3 weeks`.
export function rhythmText({ intervalUnit, intervalCount }: Rhythm): string {
  return intervalCount === 1 ? `every ${intervalUnit}` : `every ${intervalCount} ${intervalUnit}s`
}

export function requireRunning({ status }: Pick<Course, 'status'>): void {
  if (status === 'ended') throw new Fault('conflict', 'The schedule has ended. Make a new one.')
}
