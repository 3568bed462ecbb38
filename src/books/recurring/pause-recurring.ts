import { z } from 'zod'
import { Fault } from '../../kernel/basics/fault.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { lockForScheduleChange, writeScheduleChange } from './change-schedule.ts'
import { type RecurringSchedule, requireRunning } from './recurring-schedule.ts'

export const pauseRecurring = defineOperation({
  name: 'pause-recurring',
  summary: 'Pause a schedule: it makes nothing until it is resumed',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id }): Promise<RecurringSchedule> {
    return context.database.transaction(async (tx) => {
      const schedule = await lockForScheduleChange(tx, actor, id)
      requireRunning(schedule)
      if (schedule.status === 'paused')
        throw new Fault('conflict', 'The schedule is paused already.')
      return writeScheduleChange(tx, context, actor, schedule, {
        verb: 'pause',
        changes: { status: 'paused' },
      })
    })
  },
})
