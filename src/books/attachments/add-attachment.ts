import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type Actor, actorId } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, invalid, invalidField, notFound } from '../../kernel/basics/fault.ts'
import { cleanFileName, fileTypeOf } from '../../kernel/basics/file-type.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { lockDocument } from '../documents/document-store.ts'
import { lockQuote } from '../quotes/quote-store.ts'
import {
  type Attachment,
  attachmentBytesMax,
  attachmentRow,
  attachmentsMax,
  type Owner,
  ownerFields,
  waitingFilesMax,
} from './attachment.ts'
import {
  insertAttachment,
  listAttachments,
  listWaitingFiles,
  updateWaitingFileToRemoved,
} from './attachment-store.ts'

// Four characters for three bytes.
const contentLengthMax = Math.ceil(attachmentBytesMax / 3) * 4

export const addAttachment = defineOperation({
  name: 'add-attachment',
  summary: 'Attach a PDF, PNG or JPEG to a document or quote, or to one that is not saved yet',
  kind: 'write',
  input: z.strictObject({
    ...ownerFields,
    // Shown to people. It may contain a path, as some browsers send it.
    fileName: z.string().max(1000),
    // In base64.
    content: z.string().max(contentLengthMax, { error: 'At most 5 MB.' }),
  }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { documentId, quoteId, fileName, content }): Promise<Attachment> {
    if (documentId && quoteId) throw invalid('A file belongs to one document or quote.')
    const bytes = Buffer.from(content, 'base64')
    if (bytes.length > attachmentBytesMax) throw invalidField('content', 'At most 5 MB.')
    const contentType = fileTypeOf(bytes)
    if (!contentType) throw invalidField('content', 'Must be a PDF, PNG or JPEG.')
    const id = context.ids.uuid()
    const attachment: Attachment = {
      id,
      documentId: documentId ?? null,
      quoteId: quoteId ?? null,
      fileName: cleanFileName(fileName),
      contentType,
      byteCount: bytes.length,
      sha256: createHash('sha256').update(bytes).digest(),
      addedByKind: actor.kind,
      addedBy: actorId(actor),
      addedAt: context.clock.now(),
    }
    const sealed = context.secrets.seal(bytes, attachmentRow(id))
    const isSame = ({ sha256 }: Attachment) => sha256.equals(attachment.sha256)
    return context.database.transaction(async (tx) => {
      if (!documentId && !quoteId) return addWaiting(tx)
      const kind = await lockOwner(tx, actor, { documentId, quoteId })
      const known = await listAttachments(tx, actor, { documentId, quoteId })
      if (known.length >= attachmentsMax) {
        throw new Fault('conflict', `A document has at most ${attachmentsMax} files.`)
      }
      if (known.some(isSame)) throw new Fault('conflict', 'This file is attached already.')
      await insertAttachment(tx, actor, attachment, sealed)
      await recordAct(tx, context, actor, {
        action: `${kind}.attach`,
        objectKind: kind,
        objectId: documentId ?? quoteId ?? '',
        detail: attachDetail(attachment),
      })
      return attachment
    })

    // The same file again is the one that waits already.
    async function addWaiting(tx: Tx): Promise<Attachment> {
      const waiting = await listWaitingFiles(tx, actor, attachment.addedBy)
      const same = waiting.find(isSame)
      if (!same) {
        // The oldest are of forms that were closed without saving.
        const tooMany = Math.max(0, waiting.length + 1 - waitingFilesMax)
        for (const { id: oldest } of waiting.slice(0, tooMany)) {
          await updateWaitingFileToRemoved(tx, actor, oldest, attachment.addedAt)
        }
        await insertAttachment(tx, actor, attachment, sealed)
      }
      const kept = same ?? attachment
      await recordAct(tx, context, actor, {
        action: 'attachment.add',
        objectKind: 'attachment',
        objectId: kept.id,
        detail: attachDetail(kept),
      })
      return kept
    }
  },
})

export function attachDetail({ id, fileName, sha256 }: Attachment) {
  return { attachmentId: id, fileName, sha256: sha256.toString('hex') }
}

// Locked, so that two people don't exceed the limit together. Returns its kind.
async function lockOwner(tx: Tx, actor: Actor, { documentId, quoteId }: Owner): Promise<string> {
  if (quoteId) {
    if (!(await lockQuote(tx, actor, quoteId))) throw notFound('quote')
    return 'quote'
  }
  const document = await lockDocument(tx, actor, documentId ?? '')
  if (!document) throw notFound('document')
  return document.kind
}
