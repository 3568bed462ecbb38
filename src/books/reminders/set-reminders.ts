// Switches reminders on or off, and sets their days. Steps whose day is past are never sent: what
// counts is the moment of switching on or of the last change of the days.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { adminRoles } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { lockOrganisation } from '../settings/organisation-store.ts'
import type { ShownReminders } from './get-reminders.ts'
import { defaultSteps, stepsSchema } from './reminder.ts'
import { findReminderSettings, updateReminderSettings } from './reminder-settings-store.ts'

export const setReminders = defineOperation({
  name: 'set-reminders',
  summary: 'Choose when customers are reminded of open invoices',
  kind: 'write',
  input: z.strictObject({ isOn: z.boolean(), steps: stepsSchema.optional() }),
  scopes: [],
  roles: adminRoles,
  async run(context, actor, { isOn, steps: wanted }): Promise<ShownReminders> {
    return context.database.transaction(async (tx) => {
      // Two people who save at once do so one after the other.
      await lockOrganisation(tx, actor)
      const before = await findReminderSettings(tx, actor)
      const steps = wanted ?? before?.steps ?? defaultSteps
      const isSame = before?.isOn === isOn && before.steps.join() === steps.join()
      if (isSame) {
        context.call.nothingChanged()
        return { isOn, steps }
      }
      const since = context.clock.now()
      await updateReminderSettings(tx, actor, { isOn, steps, since })
      await recordAct(tx, context, actor, {
        action: 'reminders.set',
        objectKind: 'organisation',
        objectId: actor.businessId,
        detail: { isOn, steps: [...steps] },
      })
      return { isOn, steps }
    })
  },
})
