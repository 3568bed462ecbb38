// Makes what is due, of all businesses. A period is due when its day has come in the time zone of
// its business. All missed periods are made up for, however long no process was running.
import { addDays } from '../../kernel/basics/calendar.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { defineSchedule } from '../../kernel/jobs/schedule.ts'
import type { BooksContext } from '../context.ts'
import { finishPeriod } from './finish-period.ts'
import { makePeriod } from './make-period.ts'
import { listUnfinishedPeriods } from './recurring-period-store.ts'
import { type DueSchedule, listDueSchedules } from './recurring-schedule-store.ts'

const batchSize = 100
// After a long outage, the schedules of other businesses should not wait for those of one.
const periodsPerRunMax = 50

export const makeRecurringSchedule = defineSchedule({
  name: 'make-recurring',
  everySeconds: 60,
  run: (context: BooksContext, signal) => makeRecurring(context, signal),
})

async function makeRecurring(context: BooksContext, signal: AbortSignal): Promise<void> {
  await finishStopped(context, signal)
  const { database, clock, log } = context
  const now = clock.now()
  // It may already be tomorrow: the furthest zone is fourteen hours ahead.
  const day = addDays(now.toISOString().slice(0, 10), 1)
  let after: DueSchedule | undefined
  do {
    const due = await listDueSchedules(database.sql, { day, now, after }, batchSize)
    for (const { id, nextDay: _, ...tenant } of due) {
      if (signal.aborted) return
      try {
        await makePeriods(context, tenant, id, signal)
      } catch (error) {
        // It is due again in the next run. The others must not wait for this one.
        log.error({ scheduleId: id, err: error }, 'a recurring document could not be made')
      }
    }
    after = due.length < batchSize ? undefined : due.at(-1)
  } while (after)
}

export async function makePeriods(
  context: BooksContext,
  tenant: Tenant,
  id: string,
  signal?: AbortSignal,
): Promise<void> {
  for (let count = 0; count < periodsPerRunMax && !signal?.aborted; count += 1) {
    const period = await makePeriod(context, tenant, id)
    if (!period) return
    if (period.status === 'posting') await finishPeriod(context, tenant, period)
  }
}

// What a process that was stopped left between two steps.
async function finishStopped(context: BooksContext, signal: AbortSignal): Promise<void> {
  const { database, log } = context
  for (const unfinished of await listUnfinishedPeriods(database.sql, batchSize)) {
    if (signal.aborted) return
    const { businessId, environment, ...period } = unfinished
    try {
      await finishPeriod(context, { businessId, environment }, period)
    } catch (error) {
      const { scheduleId, number } = period
      log.error({ scheduleId, number, err: error }, 'a recurring document could not be finished')
    }
  }
}
