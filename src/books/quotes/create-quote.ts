import { actorId } from '../../kernel/auth/actor.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { recordQuoteAct } from './change-quote.ts'
import type { Quote } from './quote.ts'
import { quoteInput } from './quote-input.ts'
import { insertQuote } from './quote-store.ts'
import { resolveQuote } from './resolve-quote.ts'

export const createQuote = defineOperation({
  name: 'create-quote',
  summary: 'Create a draft quote',
  kind: 'write',
  input: quoteInput,
  scopes: [],
  roles: writerRoles,
  async run(context, actor, input): Promise<Quote> {
    return context.database.transaction(async (tx) => {
      const now = context.clock.now()
      const quote: Quote = {
        id: context.ids.uuid(),
        status: 'draft',
        number: null,
        version: 0,
        publicId: null,
        ...(await resolveQuote(tx, context, actor, input)),
        snapshot: null,
        sentAt: null,
        decidedAt: null,
        decidedByName: null,
        declineReason: null,
        invoiceId: null,
        createdByKind: actor.kind,
        createdBy: actorId(actor),
        authorPersonId: actor.kind === 'person' ? actor.personId : null,
        createdAt: now,
        updatedAt: now,
      }
      await insertQuote(tx, actor, quote)
      await recordQuoteAct(tx, context, actor, quote, 'quote.create')
      return quote
    })
  },
})
