// When a schedule makes something, as people enter it.
import { z } from 'zod'
import { invalidField } from '../../kernel/basics/fault.ts'
import { intervalUnits } from '../../kernel/basics/interval.ts'
import { line } from '../../kernel/operations/schemas.ts'
import { bookDay } from '../input/day-input.ts'
import {
  type Course,
  nextOf,
  type RecurringSchedule,
  type Rhythm,
  recurringModes,
} from './recurring-schedule.ts'

const intervalCountMax = 365
const timesMax = 1000

export const scheduleInput = {
  name: line(200),
  // Left as a draft; posted by itself; or, of an invoice, also mailed to the customer.
  mode: z.enum(recurringModes),
  intervalUnit: z.enum(intervalUnits),
  intervalCount: z.int().min(1).max(intervalCountMax),
  // The day of the next one. All later ones are counted from it.
  nextDay: bookDay(),
  // The last day, or how many are made in all; without both it goes on until someone ends it.
  endDay: bookDay().optional(),
  times: z.int().min(1).max(timesMax).optional(),
}

export type ScheduleInput = z.output<z.ZodObject<typeof scheduleInput>>

type Timing = Course & Pick<RecurringSchedule, 'name' | 'mode'>

export function newTiming(input: ScheduleInput, today: string): Timing {
  const { name, mode } = input
  requireNotPast(input, today)
  const rhythm = { ...rhythmOf(input), anchorDay: input.nextDay, anchorNumber: 1 }
  requireEnd(input, 0)
  return { name, mode, ...rhythm, ...nextOf({ ...rhythm, status: 'active' }, 1, 0), madeCount: 0 }
}

// The rhythm is only counted anew if it changes, so that a schedule of the 31st keeps it.
export function changedTiming(
  schedule: RecurringSchedule,
  input: ScheduleInput,
  // The last period, if any.
  { today, lastDay }: { readonly today: string; readonly lastDay: string | undefined },
): Timing {
  const { status, nextNumber, nextDay, madeCount, anchorDay, anchorNumber } = schedule
  const { name, mode } = input
  requireEnd(input, madeCount)
  const isSame =
    nextDay === input.nextDay &&
    schedule.intervalUnit === input.intervalUnit &&
    schedule.intervalCount === input.intervalCount
  if (!isSame) requireNotPast(input, today)
  if (lastDay !== undefined && input.nextDay <= lastDay) {
    throw invalidField('nextDay', `Choose a day after ${lastDay}, the day of the last one.`)
  }
  const anchor = isSame
    ? { anchorDay, anchorNumber }
    : { anchorDay: input.nextDay, anchorNumber: nextNumber }
  const rhythm: Rhythm = { ...rhythmOf(input), ...anchor }
  return {
    name,
    mode,
    ...rhythm,
    ...nextOf({ ...rhythm, status }, nextNumber, madeCount),
    madeCount,
  }
}

function rhythmOf({ intervalUnit, intervalCount, endDay, times }: ScheduleInput) {
  return { intervalUnit, intervalCount, endDay: endDay ?? null, times: times ?? null }
}

function requireNotPast({ nextDay }: ScheduleInput, today: string): void {
  if (nextDay < today) throw invalidField('nextDay', `Choose today (${today}) or a later day.`)
}

function requireEnd({ nextDay, endDay, times }: ScheduleInput, madeCount: number): void {
  if (endDay !== undefined && times !== undefined) {
    throw invalidField('times', 'Enter a last day or a number, not both.')
  }
  if (endDay !== undefined && endDay < nextDay) {
    throw invalidField('endDay', `Must not be before ${nextDay}, the next day.`)
  }
  if (times !== undefined && times <= madeCount) {
    throw invalidField('times', `${madeCount} were made already. Enter more, or end the schedule.`)
  }
}
