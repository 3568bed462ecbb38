// Mails the reminders that are due. The row of a reminder, its mail and its place in the timeline
// are written in one transaction, with the invoice locked: after a crash there is either all of it
// or nothing, and the next run finds the same step due. Repeated runs find the row.

import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { addDays } from '../../kernel/basics/calendar.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { defineSchedule } from '../../kernel/jobs/schedule.ts'
import { parseMailAddress } from '../../kernel/mail/mail.ts'
import { queueMail } from '../../kernel/mail/queue-mail.ts'
import { findContact } from '../contacts/contact-store.ts'
import type { BooksContext } from '../context.ts'
import { lockDocument } from '../documents/document-store.ts'
import { dayIn } from '../settings/local-time.ts'
import { gatherReminder } from './gather-reminder.ts'
import { type ReminderFacts, type ReminderSettings, stepNow } from './reminder.ts'
import { writeReminder } from './reminder-mail.ts'
import { findReminderSettings, listTenantsWithReminders } from './reminder-settings-store.ts'
import { insertReminder, listReminderFacts } from './reminder-store.ts'

export const remindInvoicesSchedule = defineSchedule({
  name: 'remind-invoices',
  everySeconds: 10 * 60,
  run: (context: BooksContext, signal) => remindInvoices(context, signal),
})

const batchSize = 500

async function remindInvoices(context: BooksContext, signal: AbortSignal): Promise<void> {
  const { database, log } = context
  for (const tenant of await listTenantsWithReminders(database.sql)) {
    if (signal.aborted) return
    try {
      await remindOf(context, tenant, signal)
    } catch (err) {
      // The others must not wait for this business.
      log.error({ businessId: tenant.businessId, err }, 'invoices could not be reminded')
    }
  }
}

async function remindOf(context: BooksContext, tenant: Tenant, signal: AbortSignal): Promise<void> {
  const { database, clock, log } = context
  const settings = await findReminderSettings(database.sql, tenant)
  const { first, last } = settings ? endsOf(settings) : {}
  if (!settings || first === undefined || last === undefined) return
  const now = clock.now()
  const utcDay = now.toISOString().slice(0, 10)
  // It is up to a day earlier or later where the customers are.
  const period = { dueFrom: addDays(utcDay, -last - 2), dueTo: addDays(utcDay, 1 - first) }
  let after: ReminderFacts | undefined
  do {
    const page = { ...period, after, limit: batchSize }
    const facts = await listReminderFacts(database.sql, tenant, page)
    for (const one of facts) {
      if (signal.aborted) return
      if (stepNow(settings, one, now) === undefined) continue
      try {
        await remind(context, tenant, one.documentId)
      } catch (err) {
        // It is due again in the next run.
        log.error({ documentId: one.documentId, err }, 'an invoice could not be reminded')
      }
    }
    after = facts.length < batchSize ? undefined : facts.at(-1)
  } while (after)
}

function endsOf({ steps }: ReminderSettings) {
  return { first: steps[0], last: steps.at(-1) }
}

async function remind(context: BooksContext, tenant: Tenant, id: string): Promise<void> {
  await context.database.transaction(async (tx) => {
    const isMailed = await mailReminder(tx, context, tenant, id)
    if (isMailed) context.failpoint('reminder.mailing')
  })
  context.failpoint('reminder.mailed')
}

// Decides again, with the invoice locked: it may have been paid, stopped or reminded meanwhile.
async function mailReminder(
  tx: Tx,
  context: BooksContext,
  tenant: Tenant,
  documentId: string,
): Promise<boolean> {
  const document = assertDefined(await lockDocument(tx, tenant, documentId), 'an invoice vanished')
  const [settings, [facts]] = await Promise.all([
    findReminderSettings(tx, tenant),
    listReminderFacts(tx, tenant, { documentId, limit: 1 }),
  ])
  const now = context.clock.now()
  const step = settings && facts && stepNow(settings, facts, now)
  if (step === undefined || !facts) return false
  const recipient = parseMailAddress(facts.email ?? '')
  if (recipient === undefined) return false
  const contact = await findContact(tx, tenant, document.contactId)
  const told = await gatherReminder(
    tx,
    context.publicUrl,
    tenant,
    document,
    assertDefined(contact, 'an invoice without its contact'),
  )
  const day = dayIn(facts.timeZone, now)
  const id = context.ids.uuid()
  const { dueDate } = document
  const reminder = { id, documentId, dueDate, step, recipient, day, createdAt: now }
  if (!(await insertReminder(tx, tenant, reminder))) return false
  const replyTo = parseMailAddress(told.brand.contactEmail ?? '')
  await queueMail(tx, context, {
    id,
    kind: 'reminder',
    tenant,
    to: [recipient],
    senderName: told.senderName,
    ...(replyTo !== undefined && { replyTo }),
    ...writeReminder({ ...told, today: day }),
  })
  const actor = { ...tenant, kind: 'system', name: 'remind invoices' } as const
  await recordAct(tx, context, actor, {
    action: 'invoice.remind',
    objectKind: 'invoice',
    objectId: documentId,
    detail: { mailId: id, to: [recipient], step },
  })
  return true
}
