// Discards a document that was never posted. It stays as a void document without a number, and an
// event is sent.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { type BooksContext, defineOperation } from '../context.ts'
import { lockForChange, writeChange } from './change-document.ts'
import type { Document } from './document.ts'
import { isSale } from './document-status.ts'

export const discardDocument = defineOperation({
  name: 'discard-document',
  summary: 'Discard a document that is not posted',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id }): Promise<Document> {
    return context.database.transaction((tx) => discardDraft(tx, context, actor, id))
  },
})

// Also for imports.
export async function discardDraft(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  id: string,
): Promise<Document> {
  const { document } = await lockForChange(tx, actor, id, 'discard')
  return writeChange(tx, context, actor, document, {
    verb: 'discard',
    changes: { voidedAt: context.clock.now() },
    eventType: isSale(document.kind) ? 'invoice.voided' : undefined,
  })
}
