// Drafts of quotes: made, and made anew. They are priced like invoices, by the same rules.
import type { z } from 'zod'
import { type Actor, actorId } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { Fault, invalidField, notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { day, uuid } from '../../kernel/operations/schemas.ts'
import { validated } from '../../kernel/operations/validate.ts'
import type { BooksContext } from '../context.ts'
import { addDays } from '../documents/calendar.ts'
import { draftForm } from '../documents/document-input.ts'
import { resolveDraft } from '../documents/resolve-draft.ts'
import { requireOpenLead } from '../leads/manage-leads.ts'
import { requireRole } from '../operations/permissions.ts'
import type { Quote } from './quote.ts'
import { insertQuote, lockQuote, updateQuote } from './quote-store.ts'

export const quoteForm = draftForm.omit({ due_date: true }).extend({
  expiry_date: day().optional(),
  lead_id: uuid().optional(),
})
export type QuoteForm = z.input<typeof quoteForm>

const validDays = 30

export async function createQuote(
  context: BooksContext,
  actor: Actor,
  input: QuoteForm,
): Promise<Quote> {
  requireRole(actor, 'write')
  const wanted = validated(quoteForm, input)
  return context.database.transaction(async (tx) => {
    const now = context.clock.now()
    const quote: Quote = {
      id: context.ids.uuid(),
      status: 'draft',
      number: null,
      version: 0,
      publicId: null,
      ...(await draftOf(tx, context, actor, wanted)),
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
}

export async function editQuote(
  context: BooksContext,
  actor: Actor,
  id: string,
  input: QuoteForm,
): Promise<Quote> {
  requireRole(actor, 'write')
  const wanted = validated(quoteForm, input)
  return changeQuote(context, actor, id, 'quote.edit', async (tx, quote) => {
    requireStatus(quote, ['draft'], 'Only a draft can be edited. Revise the quote first.')
    return draftOf(tx, context, actor, wanted)
  })
}

// Locks the quote, lets `changes` decide, and writes what it says.
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
    const { numberPeriod, numberPosition, ...changed } = await changes(tx, quote)
    const next: Quote = { ...quote, ...changed, updatedAt: context.clock.now() }
    await updateQuote(tx, actor, {
      ...next,
      ...(numberPeriod !== undefined && { numberPeriod }),
      ...(numberPosition !== undefined && { numberPosition }),
    })
    await recordQuoteAct(tx, context, actor, next, action)
    return next
  })
}

export type QuoteChanges = Partial<Quote> & { numberPeriod?: string; numberPosition?: bigint }

export function requireStatus(
  quote: Quote,
  statuses: readonly Quote['status'][],
  advice: string,
): void {
  if (statuses.includes(quote.status)) return
  throw new Fault('conflict', `The quote is ${quote.status}. ${advice}`)
}

async function draftOf(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  { expiry_date, lead_id, ...input }: z.output<typeof quoteForm>,
) {
  const {
    dueDate: _dueDate,
    fxRate: _fxRate,
    ...draft
  } = await resolveDraft(tx, context, actor, 'sales', input)
  const expiryDate = expiry_date ?? addDays(draft.date, validDays)
  if (expiryDate < draft.date) {
    throw invalidField('expiry_date', `Must not be before ${draft.date}, the date.`)
  }
  if (lead_id !== undefined) await requireOpenLead(tx, actor, lead_id)
  return { ...draft, expiryDate, leadId: lead_id ?? null }
}

async function recordQuoteAct(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  { id: objectId, number, status, version }: Quote,
  action: string,
): Promise<void> {
  await recordAct(tx, context, actor, {
    action,
    objectKind: 'quote',
    objectId,
    detail: { number, status, version },
  })
}
