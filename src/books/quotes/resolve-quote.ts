// Quotes are priced like invoices, by the same rules.
import type { Actor } from '../../kernel/auth/actor.ts'
import { addDays } from '../../kernel/basics/calendar.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { BooksContext } from '../context.ts'
import { resolveDraft } from '../documents/resolve-draft.ts'
import { requireOpenLead } from '../leads/change-lead.ts'
import type { QuoteInput } from './quote-input.ts'

const validDays = 30

export async function resolveQuote(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  { expiryDate: wanted, leadId, ...input }: QuoteInput,
) {
  const {
    dueDate: _dueDate,
    fxRate: _fxRate,
    fxRateStated: _fxRateStated,
    ...draft
  } = await resolveDraft(tx, context, actor, 'sales', input)
  const expiryDate = wanted ?? addDays(draft.date, validDays)
  if (expiryDate < draft.date) {
    throw invalidField('expiryDate', `Must not be before ${draft.date}, the date.`)
  }
  if (leadId !== undefined) await requireOpenLead(tx, actor, leadId)
  return { ...draft, expiryDate, leadId: leadId ?? null }
}
