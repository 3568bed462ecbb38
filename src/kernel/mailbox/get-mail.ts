// One mail and its files. Its links open what only its recipient should decide, such as the answer
// to a quote, so people who may change nothing don't read its text.
import { z } from 'zod'
import { defineOperation } from '../access/define-operation.ts'
import type { Actor } from '../auth/actor.ts'
import { notFound } from '../basics/fault.ts'
import type { Attachment, Mail } from '../mail/mail.ts'
import { everyRole, writerRoles } from '../operations/permission.ts'
import { uuid } from '../operations/schemas.ts'
import {
  findMailBody,
  findMailFile,
  findMailOf,
  listMailFiles,
  type MailBody,
  type MailFile,
} from './mailbox-store.ts'

export type ReadMail = {
  readonly mail: Mail
  // Undefined for people who may change nothing. Its parts are null once they were deleted.
  readonly body: MailBody | undefined
  readonly files: readonly MailFile[]
  // Why it can't be sent again; null if it can.
  readonly resendProblem: string | null
}

export const getMail = defineOperation({
  name: 'get-mail',
  summary: 'Show a mail with its text and files',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql }, mailer }, actor, { id }): Promise<ReadMail> {
    const mail = await findMailOf(sql, actor, id)
    if (!mail) throw notFound('mail')
    const body = mayRead(actor) ? await findMailBody(sql, actor, id) : undefined
    const files = await listMailFiles(sql, actor, id)
    return { mail, body, files, resendProblem: resendProblem(mail, mailer !== undefined) }
  },
})

export const getMailFile = defineOperation({
  name: 'get-mail-file',
  summary: 'Download a file that was attached to a mail',
  kind: 'read',
  input: z.strictObject({ id: uuid(), position: z.int().min(0).max(100) }),
  scopes: [],
  roles: everyRole,
  async run({ database }, actor, { id, position }): Promise<Attachment> {
    const file = await findMailFile(database.sql, actor, id, position)
    if (!file) throw notFound('file')
    return file
  },
})

function mayRead(actor: Actor): boolean {
  return actor.kind !== 'person' || writerRoles.includes(actor.role)
}

export function resendProblem(mail: Mail, hasMailer: boolean): string | null {
  if (mail.environment === 'test') return 'The sandbox sends no mails.'
  if (mail.state === 'queued') return 'It is waiting to be sent.'
  if (mail.state === 'sent') return 'It was sent.'
  if (mail.wipedAt !== null) return 'Its content was deleted after 30 days.'
  return hasMailer ? null : 'This server has no mail server.'
}
