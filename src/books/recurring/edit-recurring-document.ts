// Changes what a schedule makes and when. What it made before stays as it is.
import { z } from 'zod'
import { assert } from '../../kernel/basics/assert.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { authorOf } from '../documents/create-document.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { lockForScheduleChange, writeScheduleChange } from './change-schedule.ts'
import { findPeriod } from './recurring-period-store.ts'
import { type RecurringSchedule, requireRunning } from './recurring-schedule.ts'
import { documentTemplateInput, writeDocumentTemplate } from './recurring-template.ts'
import { requireCardTerms } from './require-card-terms.ts'
import { requireTemplate } from './require-template.ts'
import { changedTiming, scheduleInput } from './schedule-input.ts'

export const editRecurringDocument = defineOperation({
  name: 'edit-recurring-document',
  summary: 'Change a schedule of invoices or bills; `version` says which version was edited',
  kind: 'write',
  input: z.strictObject({
    id: uuid(),
    version: z.int(),
    ...scheduleInput,
    ...documentTemplateInput.shape,
  }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id, version, ...input }): Promise<RecurringSchedule> {
    return context.database.transaction(async (tx) => {
      const schedule = await lockForScheduleChange(tx, actor, id, { version })
      requireRunning(schedule)
      const { kind } = schedule
      if (kind === 'journal') throw invalidField('id', 'It makes journals.')
      const now = context.clock.now()
      const timing = changedTiming(schedule, input, {
        today: today(await findOrganisation(tx, actor), now),
        lastDay: (await findPeriod(tx, actor, id, schedule.nextNumber - 1))?.day,
      })
      assert(timing.status !== 'ended', 'a changed schedule has ended')
      const { contactId } = input
      const template = writeDocumentTemplate(input)
      const wanted = { kind, mode: timing.mode, contactId, template, rhythm: timing }
      const amount = await requireTemplate(tx, context, actor, wanted)
      requireCardTerms(schedule, { ...timing, contactId, ...amount })
      return writeScheduleChange(tx, context, actor, schedule, {
        verb: 'edit',
        changes: {
          ...timing,
          contactId,
          template,
          ...amount,
          authorPersonId: authorOf(actor) ?? schedule.authorPersonId,
          problem: null,
          tryAt: now,
        },
      })
    })
  },
})
