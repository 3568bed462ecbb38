// Runs one claimed schedule and plans its next run. A run that was cut short because the process is
// ending is due at once; a failed run is retried soon.
import { addSeconds } from '../basics/clock.ts'
import type { Context } from '../db/context.ts'
import { errorFields, errorText } from './error-text.ts'
import { holdLease, type Lease } from './lease.ts'
import { nextRunAt, type Schedule, scheduleLeaseSeconds } from './schedule.ts'
import {
  type ClaimedSchedule,
  lockSchedule,
  updateScheduleDone,
  updateScheduleLease,
  updateScheduleReleased,
} from './schedule-store.ts'
import { recordOutcome, type Task } from './task.ts'

// Null if another worker was faster.
export async function claimAndStartSchedule<C extends Context>(
  context: C,
  schedule: Schedule<C>,
  heartbeatMsMax: number,
): Promise<Task | null> {
  const { clock, ids, database } = context
  const startedAt = clock.now()
  const leaseUntil = addSeconds(startedAt, scheduleLeaseSeconds)
  const claim = { name: schedule.name, claimId: ids.uuid(), leaseUntil }
  if (!(await lockSchedule(database.sql, claim, startedAt))) return null
  const lease = holdLease(context, {
    leaseSeconds: scheduleLeaseSeconds,
    leaseUntil,
    heartbeatMsMax,
    renew: (until) => updateScheduleLease(database.sql, claim, until),
  })
  return {
    lease,
    release: () => updateScheduleReleased(database.sql, claim),
    done: runAndRecord(context, schedule, claim, lease, startedAt),
  }
}

async function runAndRecord<C extends Context>(
  context: C,
  schedule: Schedule<C>,
  claim: ClaimedSchedule,
  lease: Lease,
  startedAt: Date,
): Promise<void> {
  const { sql } = context.database
  const fields = { schedule: schedule.name }
  const failure = await run(context, schedule, lease)
  await recordOutcome(context.log, fields, async () => {
    if (lease.ended() === 'lost') return false
    if (failure && lease.ended() === 'stopping') return updateScheduleReleased(sql, claim)
    return updateScheduleDone(sql, claim, {
      nextRunAt: nextRunAt(schedule.everySeconds, startedAt, failure !== null),
      endedAt: context.clock.now(),
      error: failure,
    })
  })
  lease.stopRenewing()
}

// The text of the error, or null.
async function run<C extends Context>(
  context: C,
  schedule: Schedule<C>,
  lease: Lease,
): Promise<string | null> {
  try {
    await schedule.run(context, lease.signal)
    return null
  } catch (error) {
    if (!lease.ended()) {
      const fields = { schedule: schedule.name, ...errorFields(error) }
      context.log.error(fields, 'a scheduled run failed')
    }
    return errorText(error)
  }
}
