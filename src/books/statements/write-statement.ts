// The mail of a statement with its PDF. Drawing takes time, so it is written before the transaction
// that queues it.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { type NewMail, parseMailAddress } from '../../kernel/mail/mail.ts'
import { renderBrandedMail } from '../../kernel/web/branded-mail.tsx'
import type { BooksContext } from '../context.ts'
import { gatherSender } from '../reminders/gather-reminder.ts'
import { drawStatement } from './draw-statement.ts'
import type { ReadStatement } from './read-statement.ts'

export async function writeStatement(
  context: BooksContext,
  { businessId, environment }: Tenant,
  { statement, language }: ReadStatement,
  // Replaces the greeting.
  message?: string,
): Promise<Omit<NewMail, 'id' | 'to'>> {
  const tenant = { businessId, environment }
  const { contact, from, to, currencies } = statement
  const { filename, content } = await drawStatement(context, tenant, statement, language)
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
  return {
    kind: 'statement',
    tenant,
    senderName,
    ...(replyTo !== undefined && { replyTo }),
    subject: words.subject(senderName, period),
    ...body,
    attachments: [{ filename, contentType: 'application/pdf', content }],
  }
}
