import type { Actor } from '../../kernel/auth/actor.ts'
import type { BooksContext } from '../context.ts'
import { requireRole } from '../operations/permissions.ts'
import { lockForChange, writeChange } from './change-document.ts'
import type { Document } from './document.ts'
import { listDocumentLines } from './document-store.ts'
import { requireComplete } from './line-completeness.ts'

// Hands a draft to whoever approves; from then on it stays as it is until it is returned or taken
// back.
export async function submitDocument(
  context: BooksContext,
  actor: Actor,
  id: string,
): Promise<Document> {
  requireRole(actor, 'write')
  return context.database.transaction(async (tx) => {
    const { document } = await lockForChange(tx, actor, id, 'submit')
    requireComplete(await listDocumentLines(tx, actor, id))
    return writeChange(tx, context, actor, document, {
      verb: 'submit',
      changes: { submittedAt: context.clock.now(), returnReason: null },
    })
  })
}
