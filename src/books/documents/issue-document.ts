// Issues an invoice or credit note: it gets its number, is posted, and never changes again.
import { z } from 'zod'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { rateText } from '../input/amount-input.ts'
import { oldDate } from '../input/day-input.ts'
import { lockForChange, requireVersion } from './change-document.ts'
import type { Document } from './document.ts'
import { postDocument, requireStatedRate } from './post-document.ts'

// `isSent`: the customer gets it in another way than through us. `version` is the one that the
// person saw. `fxRate` replaces the rate of the draft.
const issueInput = z.strictObject({
  id: uuid(),
  isSent: z.boolean().default(false),
  version: z.int().optional(),
  fxRate: rateText().optional(),
  ...oldDate,
})

export const issueDocument = defineOperation({
  name: 'issue-document',
  summary: 'Issue a sale: it gets its number and is posted',
  kind: 'write',
  input: issueInput,
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id, isSent, version, fxRate, confirmsOldDate }): Promise<Document> {
    const issued = await context.database.transaction(async (tx) => {
      const locked = await lockForChange(tx, actor, id, 'issue')
      requireVersion(locked.document, version)
      requireStatedRate(locked, fxRate)
      const sentAt = isSent ? context.clock.now() : null
      return postDocument(tx, { ...context, confirmsOldDate }, actor, locked, {
        verb: 'issue',
        changes: { sentAt },
        fxRate,
      })
    })
    context.failpoint('document.issued')
    return issued
  },
})
