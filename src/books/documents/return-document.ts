import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { line } from '../../kernel/operations/schemas.ts'
import { validated } from '../../kernel/operations/validate.ts'
import type { BooksContext } from '../context.ts'
import { requireRole } from '../operations/permissions.ts'
import { lockForChange, writeChange } from './change-document.ts'
import type { Document } from './document.ts'

export const returnInput = z.strictObject({ reason: line(500) })

// Gives a submitted document back to its author, with the reason.
export async function returnDocument(
  context: BooksContext,
  actor: Actor,
  id: string,
  input: z.input<typeof returnInput>,
): Promise<Document> {
  requireRole(actor, 'approve')
  const { reason } = validated(returnInput, input)
  return context.database.transaction(async (tx) => {
    const { document } = await lockForChange(tx, actor, id, 'return')
    return writeChange(tx, context, actor, document, {
      verb: 'return',
      changes: { submittedAt: null, returnReason: reason },
      detail: { reason },
    })
  })
}
