import type { Settings } from '../config.ts'
import { createMailer, type Mailer } from '../kernel/mail/mailer.ts'

// Undefined if no mail server is set. Mails are then only stored.
export function openMailer({ smtpServer, mailFrom }: Settings): Mailer | undefined {
  return smtpServer && mailFrom && createMailer({ server: smtpServer, sender: mailFrom })
}
