// Which invoices will be reminded on which of the next days, and how the mail looks. While
// reminders are off, it shows what switching them on now would do.
import { z } from 'zod'
import { addDays } from '../../kernel/basics/calendar.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { findContact } from '../contacts/contact-store.ts'
import { defineOperation } from '../context.ts'
import { findDocument } from '../documents/document-store.ts'
import { gatherReminder, sampleReminder } from './gather-reminder.ts'
import {
  defaultSteps,
  type PlannedReminder,
  planReminders,
  type ReminderFacts,
  type ReminderProblem,
  reminderProblem,
} from './reminder.ts'
import { type WrittenReminder, writeReminder } from './reminder-mail.ts'
import { findReminderSettings } from './reminder-settings-store.ts'
import { listReminderFacts } from './reminder-store.ts'

export const previewDays = 30
const invoicesMax = 200

export type ReminderLine = PlannedReminder &
  Pick<
    ReminderFacts,
    'documentId' | 'number' | 'contactId' | 'contactName' | 'email' | 'currency' | 'dueMinor'
  > & {
    readonly dueDate: string
    // Why it will not be mailed as things are.
    readonly problem: ReminderProblem | undefined
  }

export type RemindersPreview = {
  // By day.
  readonly lines: readonly ReminderLine[]
  // There are more invoices than were looked at.
  readonly isCut: boolean
  // The first of them, as its customer would get it, or a sample.
  readonly mail: WrittenReminder & { readonly to: string | null }
}

export const previewReminders = defineOperation({
  name: 'preview-reminders',
  summary: 'Show which invoices are reminded on which day, and the mail',
  kind: 'read',
  input: z.strictObject({}),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, clock, publicUrl }, actor): Promise<RemindersPreview> {
    const now = clock.now()
    const stored = await findReminderSettings(sql, actor)
    const steps = stored?.steps ?? defaultSteps
    const settings = { steps, since: stored?.isOn ? stored.since : now }
    const utcDay = now.toISOString().slice(0, 10)
    const facts = await listReminderFacts(sql, actor, {
      dueFrom: addDays(utcDay, -Math.max(...steps) - 2),
      dueTo: addDays(utcDay, previewDays - Math.min(...steps) + 1),
      limit: invoicesMax + 1,
    })
    const lines = facts
      .slice(0, invoicesMax)
      .flatMap((one) =>
        planReminders(settings, one, now, previewDays).map((planned) => lineOf(one, planned)),
      )
      .toSorted((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0))
    const first = lines.find(({ problem }) => problem === undefined)
    const document = first && (await findDocument(sql, actor, first.documentId))
    const contact = first && (await findContact(sql, actor, first.contactId))
    const told =
      document && contact
        ? await gatherReminder(sql, publicUrl, actor, document, contact)
        : await sampleReminder(sql, publicUrl, actor, addDays(utcDay, -Math.min(...steps)))
    const mail = writeReminder({ ...told, today: first?.day ?? utcDay })
    return { lines, isCut: facts.length > invoicesMax, mail: { ...mail, to: first?.email ?? null } }
  },
})

function lineOf(facts: ReminderFacts, planned: PlannedReminder): ReminderLine {
  const { documentId, number, contactId, contactName, email, currency, dueMinor, dueDate } = facts
  return {
    ...planned,
    ...{ documentId, number, contactId, contactName, email, currency, dueMinor, dueDate },
    problem: reminderProblem(facts),
  }
}
