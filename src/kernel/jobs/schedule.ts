// Recurring work of the whole installation. However many processes run, one of them does a due
// run; runs that were missed while nothing was running are not made up for.
import { assert } from '../basics/assert.ts'
import { addSeconds } from '../basics/clock.ts'
import type { Context } from '../db/context.ts'

export type Schedule<C extends Context> = {
  readonly name: string
  readonly everySeconds: number
  readonly run: (context: C, signal: AbortSignal) => Promise<void>
}

export function defineSchedule<C extends Context>(schedule: Schedule<C>): Schedule<C> {
  assert(schedule.everySeconds > 0, `${schedule.name}: everySeconds must be positive`)
  return schedule
}

// A live worker renews its lease, so this is only how long a dead one goes unnoticed.
export const scheduleLeaseSeconds = 30

// A daily run that failed should not wait for tomorrow.
const retrySecondsMax = 60

// Counted from the start of the run, so that its duration does not shift the rhythm. A run that
// took longer than the interval is followed by one, not by all that it overran.
export function nextRunAt(everySeconds: number, startedAt: Date, failed: boolean): Date {
  return addSeconds(startedAt, failed ? Math.min(everySeconds, retrySecondsMax) : everySeconds)
}
