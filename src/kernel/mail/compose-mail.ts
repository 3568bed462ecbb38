// Composes the message that is sent. The same mail always gives the same bytes: date, id and part
// boundaries come from the row. A repeat is therefore identical, and operators see what was sent.
import MailComposer from 'nodemailer/lib/mail-composer'
import type { Mail, MailContent } from './mail.ts'
import type { Sender } from './smtp-server.ts'

export async function composeMail(
  mail: Mail,
  content: MailContent,
  sender: Sender,
): Promise<Buffer> {
  const name = mail.senderName ?? sender.name
  const composer = new MailComposer({
    from: { name, address: sender.address },
    to: mail.recipients.map((address) => ({ name: '', address })),
    ...(mail.replyTo !== null && { replyTo: { name: '', address: mail.replyTo } }),
    subject: mail.subject,
    date: mail.createdAt,
    messageId: `<${mail.messageId ?? messageIdOf(mail, sender)}>`,
    baseBoundary: mail.id,
    text: content.bodyText,
    ...(content.bodyHtml !== null && { html: content.bodyHtml }),
    attachments: content.attachments.map(({ filename, contentType, content }) => ({
      filename,
      contentType,
      content: Buffer.from(content),
      contentDisposition: 'attachment',
    })),
    newline: 'win',
    // Content comes only from the row, never from a file or URL that it names.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}

export function messageIdOf({ id }: Pick<Mail, 'id'>, { address }: Sender): string {
  return `${id}@${address.slice(address.lastIndexOf('@') + 1)}`
}
