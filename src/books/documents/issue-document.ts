// Issues an invoice or credit note: from here on it has a number, is in the books, and never
// changes again.
import type { Actor } from '../../kernel/auth/actor.ts'
import type { BooksContext } from '../context.ts'
import { requireRole } from '../permissions.ts'
import { lockForChange } from './change-document.ts'
import type { Document } from './document.ts'
import { postDocument } from './post-document.ts'

// `isSent` says that it reaches the customer in another way than through us.
export async function issueDocument(
  context: BooksContext,
  actor: Actor,
  id: string,
  { isSent = false }: { isSent?: boolean } = {},
): Promise<Document> {
  requireRole(actor, 'write')
  const issued = await context.database.transaction(async (tx) => {
    const locked = await lockForChange(tx, actor, id, 'issue')
    const sentAt = isSent ? context.clock.now() : null
    return postDocument(tx, context, actor, locked, { verb: 'issue', changes: { sentAt } })
  })
  context.failpoint('document.issued')
  return issued
}
