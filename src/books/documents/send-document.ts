// Mails an issued document to the customer, with its file. The mail is queued in the transaction
// that records it. It can be sent again, for example as a reminder.
import { z } from 'zod'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import { findBrand } from '../../kernel/brand/brand-store.ts'
import { queueMail } from '../../kernel/mail/queue-mail.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { emailAddress, someText, uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { lockForChange, writeChange } from './change-document.ts'
import type { Document } from './document.ts'
import { documentMail } from './document-mail.ts'
import { findDocument, findSnapshot } from './document-store.ts'
import { requireTransition } from './document-transition.ts'
import { readDocumentFile } from './read-document-file.ts'

const documentSendInput = z.strictObject({
  id: uuid(),
  // The default is the address in the snapshot.
  to: z.array(emailAddress()).min(1).max(10).optional(),
  // Replaces the greeting.
  message: someText(4000).optional(),
})

export const sendDocument = defineOperation({
  name: 'send-document',
  summary: 'Mail an issued document with its PDF',
  kind: 'write',
  input: documentSendInput,
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id, to: wanted, message }): Promise<Document> {
    const { sql } = context.database
    const document = await findDocument(sql, actor, id)
    if (!document) throw notFound('document')
    requireTransition(document, 'send', await findOrganisation(sql, actor))
    const snapshot = assertDefined(await findSnapshot(sql, actor, id), 'issued without a snapshot')
    const to = wanted ?? (snapshot.contact.email === null ? [] : [snapshot.contact.email])
    if (to.length === 0) {
      throw new Fault('conflict', `${snapshot.contact.name} has no e-mail address. Enter one.`)
    }
    // Drawn before the transaction, which should not wait for it; it can't change meanwhile.
    const { filename, content } = await readDocumentFile(context, actor, { id, asIssued: false })
    const { businessId, environment } = actor
    const tenant = { businessId, environment }
    const { publicUrl } = context
    const brand = await findBrand(sql, businessId)
    return context.database.transaction(async (tx) => {
      const { document: locked } = await lockForChange(tx, actor, id, 'send')
      const mailId = await queueMail(tx, context, {
        tenant,
        kind: 'document',
        to,
        senderName: snapshot.organisation.name,
        ...documentMail({ publicUrl, tenant, brand }, snapshot, locked, message),
        attachments: [{ filename, contentType: 'application/pdf', content }],
      })
      return writeChange(tx, context, actor, locked, {
        verb: 'send',
        changes: { sentAt: locked.sentAt ?? context.clock.now() },
        detail: { mailId, to },
      })
    })
  },
})
