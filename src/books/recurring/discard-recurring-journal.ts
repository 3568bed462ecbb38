import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import { approverRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { lockForScheduleChange } from './change-schedule.ts'
import { findPeriod, updatePeriod } from './recurring-period-store.ts'

export const discardRecurringJournal = defineOperation({
  name: 'discard-recurring-journal',
  summary: 'Discard the journal of a period that waits for a person',
  kind: 'write',
  input: z.strictObject({ scheduleId: uuid(), number: z.int() }),
  scopes: [],
  roles: approverRoles,
  async run(context, actor, { scheduleId, number }): Promise<void> {
    await context.database.transaction(async (tx) => {
      await lockForScheduleChange(tx, actor, scheduleId)
      const period = await findPeriod(tx, actor, scheduleId, number)
      if (!period?.journalId) throw notFound('journal')
      if (period.status !== 'waiting') {
        throw new Fault('conflict', 'It was posted or discarded already.')
      }
      const reason = 'Someone discarded it.'
      const mark = { status: 'skipped', reason, endedAt: context.clock.now() } as const
      await updatePeriod(tx, actor, period, mark)
      await recordAct(tx, context, actor, {
        action: 'recurring.discard',
        objectKind: 'recurring_schedule',
        objectId: scheduleId,
        detail: { day: period.day },
      })
    })
  },
})
