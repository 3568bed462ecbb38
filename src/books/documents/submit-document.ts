import { z } from 'zod'
import { notify } from '../../kernel/notices/notify.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { lockForChange, writeChange } from './change-document.ts'
import type { Document } from './document.ts'
import { listDocumentLines } from './document-store.ts'
import { findDocumentRate } from './find-document-rate.ts'
import { requireComplete } from './line-completeness.ts'
import { submittedNotice } from './submitted-notice.ts'

// Submits a draft for approval. It can't change until it is returned or withdrawn.
export const submitDocument = defineOperation({
  name: 'submit-document',
  summary: 'Submit a draft for approval',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id }): Promise<Document> {
    return context.database.transaction(async (tx) => {
      const { document, organisation } = await lockForChange(tx, actor, id, 'submit')
      requireComplete(await listDocumentLines(tx, actor, id))
      const submittedAt = context.clock.now()
      const fxRate = await findDocumentRate(tx, actor, document, organisation.baseCurrency)
      await notify(tx, context, actor, submittedNotice(document, actor, submittedAt))
      return writeChange(tx, context, actor, document, {
        verb: 'submit',
        changes: { submittedAt, returnReason: null, fxRate },
      })
    })
  },
})
