import type { Actor } from '../../kernel/auth/actor.ts'
import type { BooksContext } from '../context.ts'
import { requireRole } from '../operations/permissions.ts'
import { lockForChange, writeChange } from './change-document.ts'
import type { Document } from './document.ts'

// Takes an approval back before the document is issued: it is a draft again.
export async function reopenDocument(
  context: BooksContext,
  actor: Actor,
  id: string,
): Promise<Document> {
  requireRole(actor, 'write')
  return context.database.transaction(async (tx) => {
    const { document } = await lockForChange(tx, actor, id, 'reopen')
    return writeChange(tx, context, actor, document, {
      verb: 'reopen',
      changes: { submittedAt: null, approvedAt: null, approvedBy: null },
    })
  })
}
