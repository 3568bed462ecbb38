// Resumes a schedule. Periods that passed during the pause are skipped: someone wanted nothing to
// be made then.
import { z } from 'zod'
import { Fault } from '../../kernel/basics/fault.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { lockForScheduleChange, writeScheduleChange } from './change-schedule.ts'
import { insertSkippedPeriods } from './recurring-period-store.ts'
import { nextOf, passedPeriods, type RecurringSchedule } from './recurring-schedule.ts'

export const resumeRecurring = defineOperation({
  name: 'resume-recurring',
  summary: 'Resume a paused schedule; periods that passed meanwhile are skipped',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id }): Promise<RecurringSchedule> {
    return context.database.transaction(async (tx) => {
      const schedule = await lockForScheduleChange(tx, actor, id)
      if (schedule.status !== 'paused') throw new Fault('conflict', 'The schedule is not paused.')
      const at = context.clock.now()
      const current = today(await findOrganisation(tx, actor), at)
      const periods = passedPeriods(schedule, current)
      if (periods.length > 0) {
        const skipped = { periods, reason: 'The schedule was paused.', at }
        await insertSkippedPeriods(tx, actor, id, skipped)
      }
      const nextNumber = schedule.nextNumber + periods.length
      const course = { ...schedule, status: 'active' as const }
      return writeScheduleChange(tx, context, actor, schedule, {
        verb: 'resume',
        changes: {
          ...nextOf(course, nextNumber, schedule.madeCount),
          problem: null,
          tryAt: at,
        },
        detail: { skipped: periods.length },
      })
    })
  },
})
