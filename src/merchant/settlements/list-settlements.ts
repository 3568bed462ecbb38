// The response can have millions of rows, so it is read in pages and sent while it is read. No
// transaction and no connection is held while a slow caller reads. All pages end at the time of the
// call: payments that settle later are left out. The sums follow the rows.
import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { csvHeaders } from '../../kernel/http/csv.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { day, oneOf, uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation, defineRoute, type MerchantContext } from '../context.ts'
import { findRecipient } from '../recipients/recipient-store.ts'
import { type SettledRange, type Settlement, settlementsSchema } from './settlement.ts'
import { settledDays, settledMoments } from './settlement-days.ts'
import { listSettled } from './settlement-store.ts'
import { csvHeader, writeSettlementsCsv, writeSettlementsJson } from './write-settlements.ts'

// Large enough that the query costs little per row, small enough to be read within milliseconds and
// to need little memory.
const pageRows = 2000

const jsonType = 'application/json; charset=utf-8'

export type Settlements = {
  // The first and the last day, in UTC.
  readonly from: string
  readonly to: string
  // In the order in which they settled.
  readonly pages: AsyncIterable<Settlement[]>
}

export const listSettlements = defineOperation({
  name: 'list-settlements',
  summary: 'List settled payments, with sums per currency',
  kind: 'read',
  input: z.strictObject({
    from: day().optional(),
    to: day().optional(),
    splitRecipientId: uuid().optional(),
    // Whether a file is created from it.
    isExported: z.boolean().default(false),
  }),
  scopes: ['settlements:read'],
  inputScopes: ({ isExported }) => (isExported ? ['reports:export'] : []),
  roles: everyRole,
  async run(context, actor, { splitRecipientId, ...wanted }): Promise<Settlements> {
    const now = context.clock.now()
    const days = settledDays(wanted, now)
    if (splitRecipientId !== undefined) {
      const recipient = await findRecipient(context.database.sql, actor, splitRecipientId)
      if (!recipient) throw notFound('split recipient')
    }
    const range = { ...settledMoments(days, now), splitRecipientId }
    return { ...days, pages: settledPages(context, actor, range) }
  },
})

export const listSettlementsRoute = defineRoute({
  operation: listSettlements,
  method: 'GET',
  path: '/settlements',
  operationId: 'listSettlements',
  tag: 'Settlements',
  description:
    'Every payment that settled from the start of `from` to the end of `to`, in UTC, in the order ' +
    'in which they settled. The default is the last 30 days up to `to`, or today. The response ' +
    'can be long and is streamed: if the connection is cut before its end, ' +
    'an error occurred. As CSV it has the same columns, and the sums are the last lines, one for ' +
    'each currency, with `total` for `payment_id`.',
  bodyScopes: [{ scope: 'reports:export', when: '`format` is `csv`' }],
  query: z.strictObject({
    from: day().optional().meta({ description: 'The first day, in UTC.' }),
    to: day().optional().meta({ description: 'The last day, in UTC.' }),
    splitRecipientId: uuid()
      .optional()
      .meta({ description: 'Only payments with a share for this recipient.' }),
    format: oneOf(['json', 'csv']).default('json'),
  }),
  responses: {
    200: {
      description: 'The settlements and their sums; as CSV, a line for each.',
      schema: settlementsSchema,
      otherTypes: { 'text/csv': z.string().regex(new RegExp(`^${csvHeader}`)) },
    },
  },
  faults: ['not_found'],
  input: ({ query: { format, ...wanted } }) => ({ ...wanted, isExported: format === 'csv' }),
  answer: ({ from, to, pages }, _context, { query }) =>
    query.format === 'csv'
      ? {
          status: 200,
          headers: csvHeaders(`settlements-${from}-to-${to}.csv`),
          pieces: writeSettlementsCsv(pages),
        }
      : {
          status: 200,
          headers: { 'content-type': jsonType },
          pieces: writeSettlementsJson({ from, to }, pages),
        },
})

// Reads one page ahead while the page before is sent, so that database and service work in
// parallel.
async function* settledPages(
  { database: { sql } }: MerchantContext,
  tenant: Tenant,
  range: SettledRange,
): AsyncGenerator<Settlement[]> {
  let page = await listSettled(sql, tenant, range, undefined, pageRows)
  while (page.length > 0) {
    const next = listSettled(sql, tenant, range, page.at(-1), pageRows)
    // An error is thrown below. If the caller is gone, no one waits for it.
    next.catch(() => undefined)
    yield page
    page = await next
  }
}
