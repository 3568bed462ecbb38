import { z } from 'zod'
import { Fault } from '../../kernel/basics/fault.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { changeQuote, requireStatus } from './change-quote.ts'
import type { Quote } from './quote.ts'
import { quoteInput } from './quote-input.ts'
import { resolveQuote } from './resolve-quote.ts'

export const editQuote = defineOperation({
  name: 'edit-quote',
  summary: 'Change a draft quote',
  kind: 'write',
  // `seenAt` is when the version that the person saw was saved, so that two people who edit the
  // same draft notice each other.
  input: z.strictObject({
    id: uuid(),
    seenAt: z.iso.datetime({ error: 'Must be a moment.' }).optional(),
    ...quoteInput.shape,
  }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id, seenAt, ...input }): Promise<Quote> {
    return changeQuote(context, actor, id, 'quote.edit', async (tx, quote) => {
      requireStatus(quote, ['draft'], 'Only a draft can be edited. Revise the quote first.')
      if (seenAt !== undefined && seenAt !== quote.updatedAt.toISOString()) {
        throw new Fault('conflict', 'Someone else has changed it meanwhile. Look at it again.')
      }
      return resolveQuote(tx, context, actor, input)
    })
  },
})
