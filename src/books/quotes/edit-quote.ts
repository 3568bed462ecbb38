import { z } from 'zod'
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
  input: z.strictObject({ id: uuid(), ...quoteInput.shape }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id, ...input }): Promise<Quote> {
    return changeQuote(context, actor, id, 'quote.edit', async (tx, quote) => {
      requireStatus(quote, ['draft'], 'Only a draft can be edited. Revise the quote first.')
      return resolveQuote(tx, context, actor, input)
    })
  },
})
