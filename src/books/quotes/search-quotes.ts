// The list of quotes in the application.
import { z } from 'zod'
import { invalidField } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { day, optionalLine, uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { amountsOf } from '../input/searched-amounts.ts'
import { quoteStatuses } from './quote.ts'
import { listFoundQuotes, listQuoteSums } from './quote-search-store.ts'

const limitMax = 1000
const textMax = 160

export const searchQuotes = defineOperation({
  name: 'search-quotes',
  summary: 'Search quotes by text and status, with totals',
  kind: 'read',
  input: z.strictObject({
    status: z.enum(quoteStatuses).optional(),
    // Part of a number, a reference or the contact's name, or an amount.
    text: optionalLine(textMax).optional(),
    contactId: uuid().optional(),
    from: day().optional(),
    to: day().optional(),
    // The last quote of the page before.
    after: uuid().optional(),
    limit: z.int().min(1).max(limitMax).default(50),
    isSummed: z.boolean().default(true),
  }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, { after, limit, isSummed, ...asked }) {
    const { from, to, text } = asked
    if (from && to && from > to) throw invalidField('from', 'Must not be after the last day.')
    const wanted = { ...asked, amounts: text ? amountsOf(text) : [] }
    const [found, sums] = await Promise.all([
      listFoundQuotes(sql, actor, wanted, { limit: limit + 1, after }),
      isSummed ? listQuoteSums(sql, actor, wanted) : [],
    ])
    const quotes = found.slice(0, limit)
    const next = found.length > limit ? quotes.at(-1)?.id : undefined
    return { quotes, sums, next }
  },
})
