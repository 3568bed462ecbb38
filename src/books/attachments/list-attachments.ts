import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import type { Sql } from '../../kernel/db/database.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { findDocument } from '../documents/document-store.ts'
import { findQuote } from '../quotes/quote-store.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import {
  type Attachment,
  attachmentsMax,
  type Owner,
  ownerFields,
  quoteRemovalProblem,
  removalProblem,
} from './attachment.ts'
import { listAttachments as listStored } from './attachment-store.ts'

export type Attachments = {
  readonly attachments: readonly Attachment[]
  readonly isFull: boolean
  // Why none can be removed now; null if they can.
  readonly removalProblem: string | null
}

export const listAttachments = defineOperation({
  name: 'list-attachments',
  summary: 'List the files of a document or quote',
  kind: 'read',
  input: z.strictObject(ownerFields),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, owner): Promise<Attachments> {
    const attachments = await listStored(sql, actor, owner)
    return {
      attachments,
      isFull: attachments.length >= attachmentsMax,
      removalProblem: (await problemOf(sql, actor, owner)) ?? null,
    }
  },
})

async function problemOf(sql: Sql, actor: Actor, { documentId, quoteId }: Owner) {
  if (quoteId) {
    const quote = await findQuote(sql, actor, quoteId)
    if (!quote) throw notFound('quote')
    return quoteRemovalProblem(quote)
  }
  const document = documentId && (await findDocument(sql, actor, documentId))
  if (!document) throw notFound('document')
  return removalProblem(document, await findOrganisation(sql, actor))
}
