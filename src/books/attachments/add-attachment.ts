import { createHash } from 'node:crypto'
import { z } from 'zod'
import { actorId } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, invalidField, notFound } from '../../kernel/basics/fault.ts'
import { cleanFileName, fileTypeOf } from '../../kernel/basics/file-type.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { lockDocument } from '../documents/document-store.ts'
import { type Attachment, attachmentBytesMax, attachmentRow, attachmentsMax } from './attachment.ts'
import { insertAttachment, listAttachments } from './attachment-store.ts'

// Four characters for three bytes.
const contentLengthMax = Math.ceil(attachmentBytesMax / 3) * 4

export const addAttachment = defineOperation({
  name: 'add-attachment',
  summary: 'Attach a PDF, PNG or JPEG to a document',
  kind: 'write',
  input: z.strictObject({
    documentId: uuid(),
    // Shown to people. It may contain a path, as some browsers send it.
    fileName: z.string().max(1000),
    // In base64.
    content: z.string().max(contentLengthMax, { error: 'At most 5 MB.' }),
  }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { documentId, fileName, content }): Promise<Attachment> {
    const bytes = Buffer.from(content, 'base64')
    if (bytes.length > attachmentBytesMax) throw invalidField('content', 'At most 5 MB.')
    const contentType = fileTypeOf(bytes)
    if (!contentType) throw invalidField('content', 'Must be a PDF, PNG or JPEG.')
    const id = context.ids.uuid()
    const attachment: Attachment = {
      id,
      documentId,
      fileName: cleanFileName(fileName),
      contentType,
      byteCount: bytes.length,
      sha256: createHash('sha256').update(bytes).digest(),
      addedByKind: actor.kind,
      addedBy: actorId(actor),
      addedAt: context.clock.now(),
    }
    const sealed = context.secrets.seal(bytes, attachmentRow(id))
    await context.database.transaction(async (tx) => {
      // Locked, so that two people don't exceed the limit together.
      const document = await lockDocument(tx, actor, documentId)
      if (!document) throw notFound('document')
      const known = await listAttachments(tx, actor, documentId)
      if (known.length >= attachmentsMax) {
        throw new Fault('conflict', `A document has at most ${attachmentsMax} files.`)
      }
      if (known.some(({ sha256 }) => sha256.equals(attachment.sha256))) {
        throw new Fault('conflict', 'This file is attached already.')
      }
      await insertAttachment(tx, actor, attachment, sealed)
      await recordAct(tx, context, actor, {
        action: `${document.kind}.attach`,
        objectKind: document.kind,
        objectId: documentId,
        detail: {
          attachmentId: id,
          fileName: attachment.fileName,
          sha256: attachment.sha256.toString('hex'),
        },
      })
    })
    return attachment
  },
})
