import { z } from 'zod'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { lockForScheduleChange, writeScheduleChange } from './change-schedule.ts'
import { type RecurringSchedule, requireRunning } from './recurring-schedule.ts'

export const endRecurring = defineOperation({
  name: 'end-recurring',
  summary: 'End a schedule; what it made stays',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id }): Promise<RecurringSchedule> {
    return context.database.transaction(async (tx) => {
      const schedule = await lockForScheduleChange(tx, actor, id)
      requireRunning(schedule)
      return writeScheduleChange(tx, context, actor, schedule, {
        verb: 'end',
        changes: { status: 'ended', nextDay: null, problem: null },
      })
    })
  },
})
