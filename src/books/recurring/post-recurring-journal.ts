// A person posts the journal of a period that waits, as it is or changed: because the schedule
// leaves that to people, or because its day was late or locked.
import { z } from 'zod'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import { approverRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { journalInput, type ManualJournal, postJournal } from '../journal/post-manual-journal.ts'
import { lockForScheduleChange } from './change-schedule.ts'
import { findPeriod, updatePeriod } from './recurring-period-store.ts'

export const postRecurringJournal = defineOperation({
  name: 'post-recurring-journal',
  summary: 'Post the journal of a period that waits for a person',
  kind: 'write',
  input: z.strictObject({ scheduleId: uuid(), number: z.int(), ...journalInput.shape }),
  scopes: [],
  roles: approverRoles,
  async run(context, actor, { scheduleId, number, ...journal }): Promise<ManualJournal> {
    return context.database.transaction(async (tx) => {
      await lockForScheduleChange(tx, actor, scheduleId)
      const period = await findPeriod(tx, actor, scheduleId, number)
      if (!period?.journalId) throw notFound('journal')
      if (period.status !== 'waiting') {
        throw new Fault('conflict', 'It was posted or discarded already.')
      }
      const mark = { status: 'made', reason: null, endedAt: context.clock.now() } as const
      await updatePeriod(tx, actor, period, mark)
      return postJournal(tx, context, actor, period.journalId, journal)
    })
  },
})
