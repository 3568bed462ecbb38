// Takes back what waits for approval: it is a draft again. Only its author does, who wants to mend
// it, or whoever runs the books; approvers return it, with a reason.
import type { Actor } from '../../kernel/auth/actor.ts'
import { permissionDenied } from '../../kernel/basics/fault.ts'
import type { BooksContext } from '../context.ts'
import { isAllowed, requireRole } from '../operations/permissions.ts'
import { lockForChange, writeChange } from './change-document.ts'
import type { Document } from './document.ts'

export async function withdrawDocument(
  context: BooksContext,
  actor: Actor,
  id: string,
): Promise<Document> {
  requireRole(actor, 'write')
  return context.database.transaction(async (tx) => {
    const { document } = await lockForChange(tx, actor, id, 'withdraw')
    requireAuthor(actor, document)
    return writeChange(tx, context, actor, document, {
      verb: 'withdraw',
      changes: { submittedAt: null },
    })
  })
}

function requireAuthor(actor: Actor, { authorPersonId }: Document): void {
  const isAuthor = actor.kind === 'person' && actor.personId === authorPersonId
  if (isAuthor || isAllowed(actor, 'administer')) return
  throw permissionDenied('Only its author, an owner or an admin takes it back.')
}
