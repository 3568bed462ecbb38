// Mails the statement of a period to a contact, with its PDF. It can be sent again at any time.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import { parseMailAddress } from '../../kernel/mail/mail.ts'
import { queueMail } from '../../kernel/mail/queue-mail.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { emailAddress, someText, uuid } from '../../kernel/operations/schemas.ts'
import { renderBrandedMail } from '../../kernel/web/branded-mail.tsx'
import type { Contact } from '../contacts/contact.ts'
import { defineOperation } from '../context.ts'
import { gatherSender } from '../reminders/gather-reminder.ts'
import { periodInput } from '../reports/report-period.ts'
import { drawStatement } from './draw-statement.ts'
import { readStatement } from './read-statement.ts'

export const sendStatement = defineOperation({
  name: 'send-statement',
  summary: 'Mail the statement of a contact with its PDF',
  kind: 'write',
  input: z.strictObject({
    id: uuid(),
    ...periodInput,
    // The default is the address of the contact.
    recipients: z.array(emailAddress()).min(1).max(10).optional(),
    // Replaces the greeting.
    message: someText(4000).optional(),
  }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { recipients, message, ...wanted }): Promise<Contact> {
    const { statement, language } = await readStatement(context, actor, wanted)
    const { contact, from, to, currencies } = statement
    const addresses = recipients ?? (contact.email === null ? [] : [contact.email])
    if (addresses.length === 0) {
      throw new Fault('conflict', `${contact.name} has no e-mail address. Enter one.`)
    }
    // Drawn before the transaction, which should not wait for it.
    const { filename, content } = await drawStatement(context, actor, statement, language)
    const { businessId, environment } = actor
    const tenant = { businessId, environment }
    const sender = await gatherSender(context.database.sql, context.publicUrl, tenant)
    const { senderName, brand } = sender
    const { statement: words, terms, privacy, testMode } = language.texts
    const period = words.period(language.day(from), language.day(to))
    const body = renderBrandedMail({
      publicUrl: context.publicUrl,
      businessId,
      businessName: senderName,
      brand,
      language: language.code,
      warning: environment === 'test' ? `${testMode.label} ${testMode.text}` : undefined,
      labels: { terms, privacy },
      heading: words.title,
      paragraphs: [message ?? words.greeting(contact.name), words.attached(period)],
      facts: currencies.map(({ currency, closingMinor }) => [
        words.balanceOn(language.day(to)),
        language.money(closingMinor, currency),
      ]),
    })
    const replyTo = parseMailAddress(brand.contactEmail ?? '')
    await context.database.transaction(async (tx) => {
      const mailId = await queueMail(tx, context, {
        kind: 'statement',
        tenant,
        to: addresses,
        senderName,
        ...(replyTo !== undefined && { replyTo }),
        subject: words.subject(senderName, period),
        ...body,
        attachments: [{ filename, contentType: 'application/pdf', content }],
      })
      await recordAct(tx, context, actor, {
        action: 'contact.send_statement',
        objectKind: 'contact',
        objectId: contact.id,
        detail: { mailId, to: addresses, period: `${from} to ${to}` },
      })
    })
    return contact
  },
})
