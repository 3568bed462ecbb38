// The schedule of reminders.
import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { defaultSteps, type ReminderSettings } from './reminder.ts'
import { findReminderSettings } from './reminder-settings-store.ts'

export type ShownReminders = Pick<ReminderSettings, 'isOn' | 'steps'>

export const getReminders = defineOperation({
  name: 'get-reminders',
  summary: 'Show when customers are reminded of open invoices',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor): Promise<ShownReminders> {
    const { isOn, steps } = (await findReminderSettings(sql, actor)) ?? {
      isOn: false,
      steps: defaultSteps,
    }
    return { isOn, steps }
  },
})
