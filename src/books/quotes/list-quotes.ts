import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { listLimit } from '../input/list-limit.ts'
import { quoteStatuses } from './quote.ts'
import { listQuotes as listStoredQuotes } from './quote-store.ts'

export const listQuotes = defineOperation({
  name: 'list-quotes',
  summary: 'List the newest quotes',
  kind: 'read',
  input: z.strictObject({ status: z.enum(quoteStatuses).optional(), limit: listLimit() }),
  scopes: [],
  roles: everyRole,
  run: ({ database }, actor, { status, limit }) =>
    listStoredQuotes(database.sql, actor, status, limit),
})
