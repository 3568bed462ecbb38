// Changes the journal that a schedule posts, and when. What it posted before stays as it is.
import { z } from 'zod'
import { invalidField } from '../../kernel/basics/fault.ts'
import { approverRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { authorOf } from '../documents/create-document.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { lockForScheduleChange, writeScheduleChange } from './change-schedule.ts'
import { findPeriod } from './recurring-period-store.ts'
import { type RecurringSchedule, requireRunning } from './recurring-schedule.ts'
import { journalTemplateInput } from './recurring-template.ts'
import { requireJournalTemplate } from './require-journal-template.ts'
import { changedTiming, scheduleInput } from './schedule-input.ts'

export const editRecurringJournal = defineOperation({
  name: 'edit-recurring-journal',
  summary: 'Change a schedule of journals; `version` says which version was edited',
  kind: 'write',
  input: z.strictObject({
    id: uuid(),
    version: z.int(),
    ...scheduleInput,
    ...journalTemplateInput.shape,
  }),
  scopes: [],
  roles: approverRoles,
  async run(
    context,
    actor,
    { id, version, description, lines, ...input },
  ): Promise<RecurringSchedule> {
    return context.database.transaction(async (tx) => {
      const schedule = await lockForScheduleChange(tx, actor, id, { version })
      requireRunning(schedule)
      if (schedule.kind !== 'journal') throw invalidField('id', 'It makes documents.')
      const now = context.clock.now()
      const timing = changedTiming(schedule, input, {
        today: today(await findOrganisation(tx, actor), now),
        lastDay: (await findPeriod(tx, actor, id, schedule.nextNumber - 1))?.day,
      })
      const template = { description, lines }
      await requireJournalTemplate(tx, actor, timing, template)
      const authorPersonId = authorOf(actor) ?? schedule.authorPersonId
      return writeScheduleChange(tx, context, actor, schedule, {
        verb: 'edit',
        changes: { ...timing, template, authorPersonId, problem: null, tryAt: now },
      })
    })
  },
})
