// Starts a schedule that posts the same journal for each of its periods, or lets a person post it.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { approverRoles } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { authorOf } from '../documents/create-document.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import type { RecurringSchedule } from './recurring-schedule.ts'
import { insertSchedule } from './recurring-schedule-store.ts'
import { journalTemplateInput } from './recurring-template.ts'
import { requireJournalTemplate } from './require-journal-template.ts'
import { newTiming, scheduleInput } from './schedule-input.ts'

export const createRecurringJournal = defineOperation({
  name: 'create-recurring-journal',
  summary: 'Post a manual journal again and again by a schedule',
  kind: 'write',
  input: z.strictObject({ ...scheduleInput, ...journalTemplateInput.shape }),
  scopes: [],
  roles: approverRoles,
  async run(context, actor, { description, lines, ...input }): Promise<RecurringSchedule> {
    return context.database.transaction(async (tx) => {
      const now = context.clock.now()
      const timing = newTiming(input, today(await findOrganisation(tx, actor), now))
      const template = { description, lines }
      await requireJournalTemplate(tx, actor, timing, template)
      const schedule: RecurringSchedule = {
        id: context.ids.uuid(),
        kind: 'journal',
        contactId: null,
        template,
        currency: null,
        totalMinor: null,
        ...timing,
        subscriptionId: null,
        chargeMaxMinor: null,
        authorPersonId: authorOf(actor),
        problem: null,
        tryAt: now,
        createdAt: now,
        updatedAt: now,
        version: 1,
      }
      await insertSchedule(tx, actor, schedule)
      await recordAct(tx, context, actor, {
        action: 'recurring.create',
        objectKind: 'recurring_schedule',
        objectId: schedule.id,
        detail: { kind: 'journal', name: schedule.name, mode: schedule.mode },
      })
      return schedule
    })
  },
})
