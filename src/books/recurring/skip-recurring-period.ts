// Skips the next period, such as one that can't be made. `number` is the one that the person saw,
// so that a second click does not skip another one.
import { z } from 'zod'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { lockForScheduleChange, writeScheduleChange } from './change-schedule.ts'
import { insertSkippedPeriods } from './recurring-period-store.ts'
import { afterPeriod, type RecurringSchedule, requireRunning } from './recurring-schedule.ts'

export const skipRecurringPeriod = defineOperation({
  name: 'skip-recurring-period',
  summary: 'Skip the next period of a schedule',
  kind: 'write',
  input: z.strictObject({ id: uuid(), number: z.int() }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id, number }): Promise<RecurringSchedule> {
    return context.database.transaction(async (tx) => {
      const schedule = await lockForScheduleChange(tx, actor, id)
      requireRunning(schedule)
      if (number !== schedule.nextNumber) {
        throw new Fault('conflict', 'It was made or skipped meanwhile. Look at it again.')
      }
      const at = context.clock.now()
      const day = assertDefined(schedule.nextDay ?? undefined, 'a schedule without a next day')
      const reason = 'Someone skipped it.'
      await insertSkippedPeriods(tx, actor, id, { periods: [{ number, day }], reason, at })
      return writeScheduleChange(tx, context, actor, schedule, {
        verb: 'skip',
        changes: { ...afterPeriod(schedule, { isMade: false }), tryAt: at },
        detail: { day },
      })
    })
  },
})
