// Only from drafts: what was booked or decided keeps the files that prove it.
import { z } from 'zod'
import { type Actor, actorId } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { lockDocument } from '../documents/document-store.ts'
import { lockQuote } from '../quotes/quote-store.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { type Attachment, quoteRemovalProblem, removalProblem } from './attachment.ts'
import { findAttachment, updateAttachmentToRemoved } from './attachment-store.ts'

export const removeAttachment = defineOperation({
  name: 'remove-attachment',
  summary: 'Remove a file from a draft',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id }): Promise<Attachment> {
    return context.database.transaction(async (tx) => {
      const attachment = await findAttachment(tx, actor, id)
      if (!attachment) throw notFound('file')
      const owner = await lockOwner(tx, actor, attachment)
      if (owner.problem) throw new Fault('conflict', owner.problem)
      if (!(await updateAttachmentToRemoved(tx, actor, id, context.clock.now()))) {
        throw notFound('file')
      }
      await recordAct(tx, context, actor, {
        action: owner.action,
        objectKind: owner.kind,
        objectId: owner.id,
        detail: { attachmentId: id, fileName: attachment.fileName },
      })
      return attachment
    })
  },
})

// Only the person who uploaded it knows of a file that waits.
async function lockOwner(tx: Tx, actor: Actor, attachment: Attachment) {
  const { id, documentId, quoteId, addedBy } = attachment
  if (quoteId !== null) {
    const quote = assertDefined(await lockQuote(tx, actor, quoteId), 'a file without its quote')
    const problem = quoteRemovalProblem(quote)
    return { kind: 'quote', id: quoteId, action: 'quote.detach', problem }
  }
  if (documentId === null) {
    if (addedBy !== actorId(actor)) throw notFound('file')
    return { kind: 'attachment', id, action: 'attachment.remove', problem: undefined }
  }
  const document = assertDefined(
    await lockDocument(tx, actor, documentId),
    'a file without its document',
  )
  const { kind } = document
  const problem = removalProblem(document, await findOrganisation(tx, actor))
  return { kind, id: documentId, action: `${kind}.detach`, problem }
}
