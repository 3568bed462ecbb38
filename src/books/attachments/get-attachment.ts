import { createHash } from 'node:crypto'
import { z } from 'zod'
import { actorId } from '../../kernel/auth/actor.ts'
import { assert, assertDefined } from '../../kernel/basics/assert.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { type Attachment, attachmentRow, belongsTo, ownerFields } from './attachment.ts'
import { findAttachment, findAttachmentContent } from './attachment-store.ts'

export const getAttachment = defineOperation({
  name: 'get-attachment',
  summary: 'Read a file of a document or quote',
  kind: 'read',
  // Without an owner: one of the person's own files, which may have been saved with its document
  // since the form was opened.
  input: z.strictObject({ id: uuid(), ...ownerFields }),
  scopes: [],
  roles: everyRole,
  async run(
    context,
    actor,
    { id, ...owner },
  ): Promise<Attachment & { readonly content: Uint8Array }> {
    const { sql } = context.database
    const attachment = await findAttachment(sql, actor, id)
    const isNamed = owner.documentId !== undefined || owner.quoteId !== undefined
    const isReadable =
      attachment && (isNamed ? belongsTo(attachment, owner) : attachment.addedBy === actorId(actor))
    if (!isReadable) throw notFound('file')
    const sealed = await findAttachmentContent(sql, actor, id)
    const content = context.secrets.open(
      assertDefined(sealed, 'a file without its content'),
      attachmentRow(attachment.id),
    )
    const hash = createHash('sha256').update(content).digest()
    assert(hash.equals(attachment.sha256), 'the content of a file was changed')
    return { ...attachment, content }
  },
})
