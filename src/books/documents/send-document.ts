// Mails an issued document to the customer, with its file. The mail is queued in the transaction
// that notes it: there is none without the other. It may be sent again, for example as a reminder.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import { queueMail } from '../../kernel/mail/queue-mail.ts'
import { emailAddress, someText } from '../../kernel/operations/schemas.ts'
import { validated } from '../../kernel/operations/validate.ts'
import type { BooksContext } from '../context.ts'
import { requireRole } from '../operations/permissions.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { lockForChange, writeChange } from './change-document.ts'
import type { Document } from './document.ts'
import { documentMail } from './document-mail.ts'
import { findDocument, findSnapshot } from './document-store.ts'
import { requireTransition } from './document-transition.ts'
import { getDocumentFile } from './get-document-file.ts'

export const documentSendInput = z.strictObject({
  // The address that was frozen with the document by default.
  to: z.array(emailAddress()).min(1).max(10).optional(),
  // In place of the greeting.
  message: someText(4000).optional(),
})

export type SendInput = z.input<typeof documentSendInput>

export async function sendDocument(
  context: BooksContext,
  actor: Actor,
  id: string,
  input: SendInput = {},
): Promise<Document> {
  requireRole(actor, 'write')
  const { to: wanted, message } = validated(documentSendInput, input)
  const { sql } = context.database
  const document = await findDocument(sql, actor, id)
  if (!document) throw notFound('document')
  requireTransition(document, 'send', await findOrganisation(sql, actor))
  const snapshot = assertDefined(await findSnapshot(sql, actor, id), 'issued without a snapshot')
  const to = wanted ?? (snapshot.contact.email === null ? [] : [snapshot.contact.email])
  if (to.length === 0) {
    throw new Fault('conflict', `${snapshot.contact.name} has no e-mail address. Give one.`)
  }
  // Drawn before the transaction, which should not wait for it; it cannot change meanwhile.
  const { filename, content } = await getDocumentFile(context, actor, id)
  const { businessId, environment } = actor
  return context.database.transaction(async (tx) => {
    const { document: locked } = await lockForChange(tx, actor, id, 'send')
    const mailId = await queueMail(tx, context, {
      tenant: { businessId, environment },
      to,
      senderName: snapshot.organisation.name,
      ...documentMail(snapshot, message),
      attachments: [{ filename, contentType: 'application/pdf', content }],
    })
    return writeChange(tx, context, actor, locked, {
      verb: 'send',
      changes: { sentAt: locked.sentAt ?? context.clock.now() },
      detail: { mailId, to },
    })
  })
}

// For what went out in another way.
export async function markDocumentSent(
  context: BooksContext,
  actor: Actor,
  id: string,
): Promise<Document> {
  requireRole(actor, 'write')
  return context.database.transaction(async (tx) => {
    const { document } = await lockForChange(tx, actor, id, 'send')
    return writeChange(tx, context, actor, document, {
      verb: 'send',
      changes: { sentAt: document.sentAt ?? context.clock.now() },
      detail: { isMarkedOnly: true },
    })
  })
}
