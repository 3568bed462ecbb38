import { createHash } from 'node:crypto'
import { z } from 'zod'
import { assert, assertDefined } from '../../kernel/basics/assert.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { type Attachment, attachmentRow } from './attachment.ts'
import { findAttachment, findAttachmentContent } from './attachment-store.ts'

export const getAttachment = defineOperation({
  name: 'get-attachment',
  summary: 'Read a file of a document',
  kind: 'read',
  input: z.strictObject({ id: uuid(), documentId: uuid() }),
  scopes: [],
  roles: everyRole,
  async run(context, actor, wanted): Promise<Attachment & { readonly content: Uint8Array }> {
    const { sql } = context.database
    const attachment = await findAttachment(sql, actor, wanted.id)
    if (attachment?.documentId !== wanted.documentId) throw notFound('file')
    const sealed = await findAttachmentContent(sql, actor, wanted.id)
    const content = context.secrets.open(
      assertDefined(sealed, 'a file without its content'),
      attachmentRow(attachment.id),
    )
    const hash = createHash('sha256').update(content).digest()
    assert(hash.equals(attachment.sha256), 'the content of a file was changed')
    return { ...attachment, content }
  },
})
