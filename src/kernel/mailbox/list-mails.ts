import { z } from 'zod'
import { defineOperation } from '../access/define-operation.ts'
import { type Mail, mailKinds, mailStates } from '../mail/mail.ts'
import { everyRole } from '../operations/permission.ts'
import { oneOf, uuid } from '../operations/schemas.ts'
import { listMailsOf } from './mailbox-store.ts'

const pageSize = 50
const addressMax = 254

export type MailPage = {
  readonly mails: readonly Mail[]
  // For the next page; null on the last one.
  readonly nextBefore: string | null
  // False if this server has no mail server, so that mails are only kept.
  readonly isSending: boolean
}

export const listMails = defineOperation({
  name: 'list-mails',
  summary: 'List the mails of the business, newest first, without those with a secret link',
  kind: 'read',
  input: z.strictObject({
    state: oneOf(mailStates).optional(),
    kind: oneOf(mailKinds).optional(),
    // A part of an address.
    recipient: z.string().max(addressMax).optional(),
    before: uuid().optional(),
  }),
  scopes: [],
  roles: everyRole,
  async run({ database, mailer }, actor, { state, kind, recipient, before }): Promise<MailPage> {
    const filter = { state, kind, recipient, before }
    const mails = await listMailsOf(database.sql, actor, filter, pageSize)
    return {
      mails,
      nextBefore: mails.length === pageSize ? (mails.at(-1)?.id ?? null) : null,
      isSending: mailer !== undefined && actor.environment === 'live',
    }
  },
})
