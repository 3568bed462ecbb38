// Withdraws a document that waits for approval: it is a draft again. Only its author, an owner or
// an admin can; approvers return it, with a reason.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { permissionDenied } from '../../kernel/basics/fault.ts'
import { adminRoles, writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { lockForChange, writeChange } from './change-document.ts'
import type { Document } from './document.ts'

export const withdrawDocument = defineOperation({
  name: 'withdraw-document',
  summary: 'Withdraw a document that is waiting for approval',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id }): Promise<Document> {
    return context.database.transaction(async (tx) => {
      const { document } = await lockForChange(tx, actor, id, 'withdraw')
      requireAuthor(actor, document)
      return writeChange(tx, context, actor, document, {
        verb: 'withdraw',
        changes: { submittedAt: null },
      })
    })
  },
})

function requireAuthor(actor: Actor, { authorPersonId }: Document): void {
  const isAuthor = actor.kind === 'person' && actor.personId === authorPersonId
  if (isAuthor || actor.kind !== 'person' || adminRoles.includes(actor.role)) return
  throw permissionDenied('Only its author, an owner or an admin can withdraw it.')
}
