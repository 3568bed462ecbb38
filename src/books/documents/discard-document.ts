// Throws away what never entered the books. It stays as a void document without a number, and
// whoever made it over the interface is told its fate.
import { z } from 'zod'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { lockForChange, writeChange } from './change-document.ts'
import type { Document } from './document.ts'
import { isSale } from './document-status.ts'

export const discardDocument = defineOperation({
  name: 'discard-document',
  summary: 'Discard a document that is not in the books',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id }): Promise<Document> {
    return context.database.transaction(async (tx) => {
      const { document } = await lockForChange(tx, actor, id, 'discard')
      return writeChange(tx, context, actor, document, {
        verb: 'discard',
        changes: { voidedAt: context.clock.now() },
        eventType: isSale(document.kind) ? 'invoice.voided' : undefined,
      })
    })
  },
})
