import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { findQuote } from './quote-store.ts'

export const getQuote = defineOperation({
  name: 'get-quote',
  summary: 'Show one quote',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: everyRole,
  async run({ database }, actor, { id }) {
    const quote = await findQuote(database.sql, actor, id)
    if (!quote) throw notFound('quote')
    return quote
  },
})
