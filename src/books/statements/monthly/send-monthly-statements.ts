// Mails the statements of the last month. The row of a statement, its mail and the line in the
// audit log are written in one transaction, with the contact locked: after a crash there is either
// all of it or nothing, and the next run finds the contact again. Repeated runs find the row.
import { recordAct } from '../../../kernel/auth/audit-log.ts'
import type { Tenant } from '../../../kernel/basics/tenant.ts'
import type { Tx } from '../../../kernel/db/database.ts'
import { defineSchedule } from '../../../kernel/jobs/schedule.ts'
import { type NewMail, parseMailAddress } from '../../../kernel/mail/mail.ts'
import { queueMail } from '../../../kernel/mail/queue-mail.ts'
import type { ContactStatement } from '../../contacts/get-contact-statement.ts'
import { lockMergeable } from '../../contacts/merged-contact-store.ts'
import type { BooksContext } from '../../context.ts'
import type { Period } from '../../reports/report-days.ts'
import { findOrganisation } from '../../settings/organisation-store.ts'
import { readStatement } from '../read-statement.ts'
import { writeStatement } from '../write-statement.ts'
import { isDueNow, monthNow, type StatementFacts } from './monthly-statement.ts'
import { insertMonthlyStatement, listStatementFacts } from './monthly-statement-store.ts'
import { findStatementSettings, listTenantsWithStatements } from './statement-settings-store.ts'

export const sendStatementsSchedule = defineSchedule({
  name: 'send-monthly-statements',
  everySeconds: 10 * 60,
  run: (context: BooksContext, signal) => sendStatements(context, signal),
})

const batchSize = 500

async function sendStatements(context: BooksContext, signal: AbortSignal): Promise<void> {
  const { database, log } = context
  for (const tenant of await listTenantsWithStatements(database.sql)) {
    if (signal.aborted) return
    try {
      await mailOf(context, tenant, signal)
    } catch (err) {
      // The others must not wait for this business.
      log.error({ businessId: tenant.businessId, err }, 'statements could not be mailed')
    }
  }
}

async function mailOf(context: BooksContext, tenant: Tenant, signal: AbortSignal): Promise<void> {
  const { database, clock, log } = context
  const { timeZone } = await findOrganisation(database.sql, tenant)
  const settings = await findStatementSettings(database.sql, tenant)
  const now = clock.now()
  const month = monthNow(timeZone, now)
  if (!settings || !month) return
  let after: StatementFacts | undefined
  do {
    const page = { month, after, limit: batchSize }
    const facts = await listStatementFacts(database.sql, tenant, page)
    for (const one of facts) {
      if (signal.aborted) return
      if (!isDueNow(settings, timeZone, one, month, now)) continue
      try {
        await mailTo(context, tenant, one.contactId, month)
      } catch (err) {
        // It is due again in the next run.
        log.error({ contactId: one.contactId, err }, 'a statement could not be mailed')
      }
    }
    after = facts.length < batchSize ? undefined : facts.at(-1)
  } while (after)
}

async function mailTo(
  context: BooksContext,
  tenant: Tenant,
  id: string,
  month: Period,
): Promise<void> {
  const read = await readStatement(context, tenant, { id, ...month })
  if (isEmpty(read.statement)) return
  const mail = await writeStatement(context, tenant, read)
  await context.database.transaction((tx) => queueOnce(tx, context, tenant, id, month, mail))
}

// Open items that make up for each other, from before the month.
function isEmpty({ currencies }: ContactStatement): boolean {
  return currencies.every(({ lines, closingMinor }) => lines.length === 0 && closingMinor === 0n)
}

// Decides again, with the contact locked: it may have been merged, stopped or mailed meanwhile.
async function queueOnce(
  tx: Tx,
  context: BooksContext,
  tenant: Tenant,
  contactId: string,
  month: Period,
  mail: Omit<NewMail, 'id' | 'to'>,
): Promise<void> {
  await lockMergeable(tx, tenant, [contactId])
  const { timeZone } = await findOrganisation(tx, tenant)
  const settings = await findStatementSettings(tx, tenant)
  const [facts] = await listStatementFacts(tx, tenant, { month, contactId, limit: 1 })
  const createdAt = context.clock.now()
  if (!settings || !facts || !isDueNow(settings, timeZone, facts, month, createdAt)) return
  const recipient = parseMailAddress(facts.email ?? '')
  if (recipient === undefined) return
  const id = context.ids.uuid()
  const row = { id, contactId, month: month.from, recipient, createdAt }
  if (!(await insertMonthlyStatement(tx, tenant, row))) return
  await queueMail(tx, context, { ...mail, id, to: [recipient] })
  const actor = { ...tenant, kind: 'system', name: 'send monthly statements' } as const
  await recordAct(tx, context, actor, {
    action: 'contact.send_statement',
    objectKind: 'contact',
    objectId: contactId,
    detail: { mailId: id, to: [recipient], period: `${month.from} to ${month.to}` },
  })
}
