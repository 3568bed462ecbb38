// Only from drafts: what was booked or decided keeps the files that prove it.
import { z } from 'zod'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { lockDocument } from '../documents/document-store.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { type Attachment, removalProblem } from './attachment.ts'
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
      const document = assertDefined(
        await lockDocument(tx, actor, attachment.documentId),
        'a file without its document',
      )
      const problem = removalProblem(document, await findOrganisation(tx, actor))
      if (problem) throw new Fault('conflict', problem)
      if (!(await updateAttachmentToRemoved(tx, actor, id, context.clock.now()))) {
        throw notFound('file')
      }
      await recordAct(tx, context, actor, {
        action: `${document.kind}.detach`,
        objectKind: document.kind,
        objectId: document.id,
        detail: { attachmentId: id, fileName: attachment.fileName },
      })
      return attachment
    })
  },
})
