// The answer may be millions of rows long, so it is read in short pages and sent as it is read: no
// transaction and no connection is held while a slow caller reads. What keeps the pages together is
// a watermark, the moment of the call: what settles later is not in the answer. The sums follow the
// rows and are made of them.
import { z } from 'zod'
import type { KeyActor } from '../../kernel/auth/actor.ts'
import { addMilliseconds, addSeconds } from '../../kernel/basics/clock.ts'
import { invalidField, notFound } from '../../kernel/basics/fault.ts'
import { csvHeaders, csvLine } from '../../kernel/http/csv.ts'
import type { Streamed } from '../../kernel/http/route.ts'
import { requireScope } from '../../kernel/operations/permission.ts'
import { day, oneOf, uuid } from '../../kernel/operations/schemas.ts'
import { defineHandledRoute, type MerchantContext } from '../context.ts'
import { findRecipient } from '../recipients/recipient-store.ts'
import {
  lastPlace,
  type SettledPage,
  type SettledRange,
  settlementColumns,
  settlementsSchema,
} from './settlement.ts'
import { listSettledPage } from './settlement-store.ts'
import { jsonTotals, type Totals } from './settlement-totals.ts'
import { csvRows, jsonRows, writeSettlements } from './write-settlements.ts'

const daysDefault = 30
// Long enough that asking for a page costs little beside reading it, short enough that it is read
// within milliseconds and takes up little.
const pageRows = 2000

const headerLine = csvLine(settlementColumns)

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
      otherTypes: { 'text/csv': z.string().regex(new RegExp(`^${headerLine}`)) },
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
    return query.format === 'csv' ? asCsv(days, pages) : asJson(days, pages)
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

// Reads a page ahead, while the one before is written and taken by the caller; no more than that.
async function* settledPages(
  { database: { sql } }: MerchantContext,
  actor: KeyActor,
  range: SettledRange,
): AsyncGenerator<SettledPage> {
  let page = await listSettledPage(sql, actor, range, undefined, pageRows)
  while (page) {
    const next = listSettledPage(sql, actor, range, lastPlace(page), pageRows)
    // Its failure is met where it is waited for, or by nobody when the caller has gone.
    next.catch(() => undefined)
    yield page
    page = await next
  }
}

function asJson({ from, to }: Days, pages: AsyncIterable<SettledPage>): Streamed {
  const totals: Totals = new Map()
  const opening = `{"from":"${from}","to":"${to}","data":[`
  async function* pieces() {
    yield* writeSettlements(opening, pages, jsonRows, totals)
    yield `],"summary":${jsonTotals(totals)}}`
  }
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  return { status: 200, headers, pieces: pieces() }
}

function asCsv({ from, to }: Days, pages: AsyncIterable<SettledPage>): Streamed {
  return {
    status: 200,
    headers: csvHeaders(`settlements-${from}-to-${to}.csv`),
    pieces: writeSettlements(headerLine, pages, csvRows, new Map()),
  }
}
