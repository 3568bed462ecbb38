// Makes what is due now, instead of waiting for the next retry, such as after the person has
// activated the contact again.
import { z } from 'zod'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { lockForScheduleChange, writeScheduleChange } from './change-schedule.ts'
import { makePeriods } from './make-recurring.ts'
import type { RecurringSchedule } from './recurring-schedule.ts'
import { findSchedule } from './recurring-schedule-store.ts'

export const retryRecurring = defineOperation({
  name: 'retry-recurring',
  summary: 'Make what a schedule could not make before',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id }): Promise<RecurringSchedule> {
    const { businessId, environment } = actor
    await context.database.transaction(async (tx) => {
      const schedule = await lockForScheduleChange(tx, actor, id)
      if (schedule.problem === null) throw new Fault('conflict', 'Nothing waits to be made.')
      const changes = { tryAt: context.clock.now() }
      await writeScheduleChange(tx, context, actor, schedule, { verb: 'retry', changes })
    })
    await makePeriods(context, { businessId, environment }, id)
    const after = await findSchedule(context.database.sql, actor, id)
    return assertDefined(after, 'a schedule vanished')
  },
})
