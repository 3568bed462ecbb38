import { z } from 'zod'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { lockForChange, writeChange } from './change-document.ts'
import type { Document } from './document.ts'

// For documents that were delivered in another way than by our mail.
export const markDocumentSent = defineOperation({
  name: 'mark-document-sent',
  summary: 'Mark a document as sent',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id }): Promise<Document> {
    return context.database.transaction(async (tx) => {
      const { document } = await lockForChange(tx, actor, id, 'send')
      return writeChange(tx, context, actor, document, {
        verb: 'send',
        changes: { sentAt: document.sentAt ?? context.clock.now() },
        detail: { isMarkedOnly: true },
      })
    })
  },
})
