import { z } from 'zod'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { lockForChange, writeChange } from './change-document.ts'
import type { Document } from './document.ts'

// Withdraws an approval before the document is issued: it is a draft again.
export const reopenDocument = defineOperation({
  name: 'reopen-document',
  summary: 'Turn an approved sale back into a draft',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id }): Promise<Document> {
    return context.database.transaction(async (tx) => {
      const { document } = await lockForChange(tx, actor, id, 'reopen')
      return writeChange(tx, context, actor, document, {
        verb: 'reopen',
        changes: { submittedAt: null, approvedAt: null, approvedBy: null },
      })
    })
  },
})
