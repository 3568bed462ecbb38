import { z } from 'zod'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { changeQuote, requireStatus } from './change-quote.ts'
import type { Quote } from './quote.ts'

export const reviseQuote = defineOperation({
  name: 'revise-quote',
  summary: 'Turn a quote back into a draft, to send a new version',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id }): Promise<Quote> {
    return changeQuote(context, actor, id, 'quote.revise', async (_tx, quote) => {
      const advice = 'Only a sent, declined or expired quote can be revised.'
      requireStatus(quote, ['sent', 'declined', 'expired'], advice)
      return {
        status: 'draft',
        publicId: null,
        snapshot: null,
        sentAt: null,
        decidedAt: null,
        decidedByName: null,
        declineReason: null,
      }
    })
  },
})
