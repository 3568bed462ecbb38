// The answer may have millions of rows, so it is read in pages and sent while it is read. No
// transaction and no connection is held while a slow caller reads. All pages end at the moment of
// the call: payments that settle later are left out. The sums follow the rows.
import { z } from 'zod'
import type { KeyActor } from '../../kernel/auth/actor.ts'
import { addMilliseconds, addSeconds } from '../../kernel/basics/clock.ts'
import { invalidField, notFound } from '../../kernel/basics/fault.ts'
import { csvHeaders } from '../../kernel/http/csv.ts'
import { requireScope } from '../../kernel/operations/permission.ts'
import { day, oneOf, uuid } from '../../kernel/operations/schemas.ts'
import { defineHandledRoute, type MerchantContext } from '../context.ts'
import { findRecipient } from '../recipients/recipient-store.ts'
import { type SettledRange, type Settlement, settlementsSchema } from './settlement.ts'
import { listSettled } from './settlement-store.ts'
import { csvHeader, writeSettlementsCsv, writeSettlementsJson } from './write-settlements.ts'

const daysDefault = 30
// Large enough that the query costs little beside the rows, small enough to be read within
// milliseconds and to need little memory.
const pageRows = 2000

const jsonType = 'application/json; charset=utf-8'

export const listSettlements = defineHandledRoute({
  method: 'GET',
  path: '/settlements',
  operationId: 'listSettlements',
  tag: 'Settlements',
  summary: 'List what settled, with sums per currency',
  description:
    'Every payment that settled from the start of `from` to the end of `to`, in UTC, in the order ' +
    'in which they settled. Without them it is the last 30 days up to `to`, or today. The answer ' +
    'may be long and is sent while it is read: a connection that is cut before its end means that ' +
    'something went wrong. As CSV it has the same columns, and no sums.',
  scopes: ['settlements:read'],
  bodyScopes: [{ scope: 'reports:export', when: '`format` is `csv`' }],
  query: z.object({
    from: day().optional().meta({ description: 'The first day, in UTC.' }),
    to: day().optional().meta({ description: 'The last day, in UTC.' }),
    splitRecipientId: uuid()
      .optional()
      .meta({ description: 'Only payments of which this recipient got a share.' }),
    format: oneOf(['json', 'csv']).default('json'),
  }),
  responses: {
    200: {
      description: 'The settlements and their sums; as CSV, a line for each settlement.',
      schema: settlementsSchema,
      otherTypes: { 'text/csv': z.string().regex(new RegExp(`^${csvHeader}`)) },
    },
  },
  faults: ['not_found'],
  async handle(context, { actor, query }) {
    if (query.format === 'csv') requireScope(actor, ['reports:export'])
    const now = context.clock.now()
    const days = settledDays(query, now)
    const { splitRecipientId } = query
    if (splitRecipientId !== undefined) {
      const recipient = await findRecipient(context.database.sql, actor, splitRecipientId)
      if (!recipient) throw notFound('split recipient')
    }
    const range = { ...momentsOf(days, now), splitRecipientId }
    const pages = settledPages(context, actor, range)
    return query.format === 'csv'
      ? {
          status: 200,
          headers: csvHeaders(`settlements-${days.from}-to-${days.to}.csv`),
          pieces: writeSettlementsCsv(pages),
        }
      : {
          status: 200,
          headers: { 'content-type': jsonType },
          pieces: writeSettlementsJson(days, pages),
        }
  },
})

type Wanted = { readonly from?: string | undefined; readonly to?: string | undefined }
type Days = { readonly from: string; readonly to: string }

function settledDays({ from, to }: Wanted, now: Date): Days {
  const last = to ?? dayOf(now)
  const first = from ?? dayOf(addDays(startOf(last), 1 - daysDefault))
  if (first > last) throw invalidField('from', 'Must not be after `to`.')
  return { from: first, to: last }
}

// The watermark itself is part of the range: a payment may have settled in this millisecond.
function momentsOf({ from, to }: Days, now: Date): { since: Date; before: Date } {
  const end = addDays(startOf(to), 1)
  const watermark = addMilliseconds(now, 1)
  return { since: startOf(from), before: end < watermark ? end : watermark }
}

const startOf = (date: string) => new Date(`${date}T00:00:00.000Z`)
const dayOf = (moment: Date) => moment.toISOString().slice(0, 10)
const addDays = (moment: Date, days: number) => addSeconds(moment, days * 24 * 60 * 60)

// Reads one page ahead while the page before is sent, so that database and service work in
// parallel.
async function* settledPages(
  { database: { sql } }: MerchantContext,
  actor: KeyActor,
  range: SettledRange,
): AsyncGenerator<Settlement[]> {
  let page = await listSettled(sql, actor, range, undefined, pageRows)
  while (page.length > 0) {
    const next = listSettled(sql, actor, range, page.at(-1), pageRows)
    // An error is thrown below. When the caller has gone, nobody waits for it.
    next.catch(() => undefined)
    yield page
    page = await next
  }
}
