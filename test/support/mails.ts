// Mails of tests: queued in their own transaction, and read from the database.

import type { Mail, NewMail } from '../../src/kernel/mail/mail.ts'
import { findMailById } from '../../src/kernel/mail/mail-store.ts'
import { queueMail } from '../../src/kernel/mail/queue-mail.ts'
import { type MailContext, sendMailJob } from '../../src/kernel/mail/send-mail.ts'
import { workerFor } from './jobs.ts'

export function newMail(overrides: Partial<NewMail> = {}): NewMail {
  return {
    tenant: null,
    to: ['ada@example.org'],
    subject: 'Something happened',
    text: 'Dear Ada,\nsomething happened.\n',
    ...overrides,
  }
}

export function queue(context: MailContext, overrides: Partial<NewMail> = {}): Promise<string> {
  return context.database.transaction((tx) => queueMail(tx, context, newMail(overrides)))
}

export async function mailOf(context: MailContext, id: string): Promise<Mail> {
  const mail = await findMailById(context.database.sql, id)
  if (!mail) throw new Error(`there is no mail ${id}`)
  return mail
}

// Sends whatever is due.
export function drain(context: MailContext): Promise<void> {
  return workerFor(context, { jobs: [sendMailJob] }).drain()
}
