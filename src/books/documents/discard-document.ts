// Throws away what never entered the books. It stays as a void document without a number, and
// whoever made it over the interface is told its fate.
import type { Actor } from '../../kernel/auth/actor.ts'
import type { BooksContext } from '../context.ts'
import { requireRole } from '../operations/permissions.ts'
import { lockForChange, writeChange } from './change-document.ts'
import type { Document } from './document.ts'
import { isSale } from './document-status.ts'

export async function discardDocument(
  context: BooksContext,
  actor: Actor,
  id: string,
): Promise<Document> {
  requireRole(actor, 'write')
  return context.database.transaction(async (tx) => {
    const { document } = await lockForChange(tx, actor, id, 'discard')
    return writeChange(tx, context, actor, document, {
      verb: 'discard',
      changes: { voidedAt: context.clock.now() },
      eventType: isSale(document.kind) ? 'invoice.voided' : undefined,
    })
  })
}
