// A template is refused if its first document could not be made now.
import type { Actor } from '../../kernel/auth/actor.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { findContact } from '../contacts/contact-store.ts'
import type { BooksContext } from '../context.ts'
import { isSale } from '../documents/document-status.ts'
import { requireComplete } from '../documents/line-completeness.ts'
import { resolveDraft } from '../documents/resolve-draft.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import {
  dayOf,
  type RecurringDocumentKind,
  type RecurringMode,
  type Rhythm,
} from './recurring-schedule.ts'
import {
  type DocumentTemplate,
  documentOf,
  requireKnownPlaceholders,
} from './recurring-template.ts'

export type Wanted = {
  readonly kind: RecurringDocumentKind
  readonly mode: RecurringMode
  readonly contactId: string
  readonly template: DocumentTemplate
  readonly rhythm: Rhythm & { readonly nextNumber: number }
}

export async function requireTemplate(
  tx: Tx,
  context: BooksContext,
  actor: Actor,
  { kind, mode, contactId, template, rhythm }: Wanted,
): Promise<{ currency: string; totalMinor: bigint }> {
  if (mode === 'send' && kind !== 'invoice') {
    throw invalidField('mode', 'Only invoices are sent. Choose another way.')
  }
  requireKnownPlaceholders({ reference: template.reference, notes: template.notes })
  for (const [index, { description }] of template.lines.entries()) {
    requireKnownPlaceholders({ lines: description }, `${index}.description: `)
  }
  const { locale } = await findOrganisation(tx, actor)
  const number = rhythm.nextNumber
  const days = { day: dayOf(rhythm, number), nextDay: dayOf(rhythm, number + 1) }
  const document = documentOf(contactId, template, { ...days, number, locale })
  const side = isSale(kind) ? 'sales' : 'purchase'
  const { currency, totalMinor, lines } = await resolveDraft(tx, context, actor, side, document)
  if (mode !== 'draft') requireComplete(lines)
  if (mode === 'send') {
    const contact = await findContact(tx, actor, contactId)
    if (!contact?.email) {
      const remedy = 'Enter one for the contact, or choose another way.'
      throw invalidField('mode', `${contact?.name} has no e-mail address. ${remedy}`)
    }
  }
  return { currency, totalMinor }
}
