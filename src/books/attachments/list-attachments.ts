import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { findDocument } from '../documents/document-store.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { type Attachment, attachmentsMax, removalProblem } from './attachment.ts'
import { listAttachments as listStored } from './attachment-store.ts'

export type DocumentAttachments = {
  readonly attachments: readonly Attachment[]
  readonly isFull: boolean
  // Why none can be removed now; null if they can.
  readonly removalProblem: string | null
}

export const listAttachments = defineOperation({
  name: 'list-attachments',
  summary: 'List the files of a document',
  kind: 'read',
  input: z.strictObject({ documentId: uuid() }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, { documentId }): Promise<DocumentAttachments> {
    const [document, organisation, attachments] = await Promise.all([
      findDocument(sql, actor, documentId),
      findOrganisation(sql, actor),
      listStored(sql, actor, documentId),
    ])
    if (!document) throw notFound('document')
    return {
      attachments,
      isFull: attachments.length >= attachmentsMax,
      removalProblem: removalProblem(document, organisation) ?? null,
    }
  },
})
