import type { Settings } from '../config.ts'
import { createMailer, type Mailer } from '../kernel/mail/mailer.ts'

// Undefined where no mail server is set: mails are kept then.
export function openMailer({ smtpServer, mailFrom }: Settings): Mailer | undefined {
  return smtpServer && mailFrom && createMailer({ server: smtpServer, sender: mailFrom })
}
