import { z } from 'zod'
import { approverRoles } from '../../kernel/operations/permission.ts'
import { line, uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { lockForChange, writeChange } from './change-document.ts'
import type { Document } from './document.ts'

const returnInput = z.strictObject({ id: uuid(), reason: line(500) })

// Returns a submitted document to its author, with the reason.
export const returnDocument = defineOperation({
  name: 'return-document',
  summary: 'Return a submitted document to its author, with the reason',
  kind: 'write',
  input: returnInput,
  scopes: [],
  roles: approverRoles,
  async run(context, actor, { id, reason }): Promise<Document> {
    return context.database.transaction(async (tx) => {
      const { document } = await lockForChange(tx, actor, id, 'return')
      return writeChange(tx, context, actor, document, {
        verb: 'return',
        changes: { submittedAt: null, returnReason: reason },
        detail: { reason },
      })
    })
  },
})
