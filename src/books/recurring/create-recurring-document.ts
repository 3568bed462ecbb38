// Starts a schedule that makes an invoice or a bill for each of its periods.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { authorOf } from '../documents/create-document.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import type { RecurringSchedule } from './recurring-schedule.ts'
import { insertSchedule } from './recurring-schedule-store.ts'
import { documentTemplateInput, writeDocumentTemplate } from './recurring-template.ts'
import { requireTemplate } from './require-template.ts'
import { newTiming, scheduleInput } from './schedule-input.ts'

export const createRecurringDocument = defineOperation({
  name: 'create-recurring-document',
  summary: 'Make an invoice or bill again and again by a schedule',
  kind: 'write',
  input: z.strictObject({
    kind: z.enum(['invoice', 'bill']),
    ...scheduleInput,
    ...documentTemplateInput.shape,
  }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { kind, ...input }): Promise<RecurringSchedule> {
    return context.database.transaction(async (tx) => {
      const now = context.clock.now()
      const timing = newTiming(input, today(await findOrganisation(tx, actor), now))
      const { contactId } = input
      const template = writeDocumentTemplate(input)
      const wanted = { kind, mode: timing.mode, contactId, template, rhythm: timing }
      const schedule: RecurringSchedule = {
        id: context.ids.uuid(),
        kind,
        contactId,
        template,
        ...(await requireTemplate(tx, context, actor, wanted)),
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
        detail: { kind, name: schedule.name, mode: schedule.mode },
      })
      return schedule
    })
  },
})
