// The frame of every change to a quote: the row is locked, and the audit log names the actor.
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { BooksContext } from '../context.ts'
import type { Quote } from './quote.ts'
import { lockQuote, updateQuote } from './quote-store.ts'

// Locks the quote, calls `changes`, and writes the result.
export async function changeQuote(
  context: BooksContext,
  actor: Actor,
  id: string,
  action: string,
  changes: (tx: Tx, quote: Quote) => Promise<QuoteChanges>,
): Promise<Quote> {
  return context.database.transaction(async (tx) => {
    const quote = await lockQuote(tx, actor, id)
    if (!quote) throw notFound('quote')
    const { numberPeriod, numberPosition, mailId, ...changed } = await changes(tx, quote)
    const next: Quote = { ...quote, ...changed, updatedAt: context.clock.now() }
    await updateQuote(tx, actor, {
      ...next,
      ...(numberPeriod !== undefined && { numberPeriod }),
      ...(numberPosition !== undefined && { numberPosition }),
    })
    await recordQuoteAct(tx, context, actor, next, action, mailId)
    return next
  })
}

export type QuoteChanges = Partial<Quote> & {
  numberPeriod?: string
  numberPosition?: bigint
  // Of the mail with the quote, for the timeline.
  mailId?: string
}

export function requireStatus(
  quote: Quote,
  statuses: readonly Quote['status'][],
  advice: string,
): void {
  if (statuses.includes(quote.status)) return
  throw new Fault('conflict', `The quote is ${quote.status}. ${advice}`)
}

export async function recordQuoteAct(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  { id: objectId, number, status, version }: Quote,
  action: string,
  mailId?: string,
): Promise<void> {
  await recordAct(tx, context, actor, {
    action,
    objectKind: 'quote',
    objectId,
    detail: { number, status, version, ...(mailId !== undefined && { mailId }) },
  })
}
