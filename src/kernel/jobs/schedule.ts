// Recurring work of the whole installation. Of all processes, one does a due run. Runs that were
// missed while no process was running are not made up for.
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

// A live worker renews its lease. This is how long it takes to notice a dead one.
export const scheduleLeaseSeconds = 30

// A daily run that failed should not wait until tomorrow.
const retrySecondsMax = 60

// Counted from the start of the run, so that its duration does not shift the rhythm. A run that
// took longer than the interval is followed by one run, not by all it overran.
export function nextRunAt(everySeconds: number, startedAt: Date, failed: boolean): Date {
  return addSeconds(startedAt, failed ? Math.min(everySeconds, retrySecondsMax) : everySeconds)
}
