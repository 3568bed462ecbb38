import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { findContact } from '../contacts/contact-store.ts'
import { type BooksContext, defineOperation } from '../context.ts'
import { type DocumentSnapshot, fileName } from '../documents/document-snapshot.ts'
import { drawPdf } from '../documents/pdf/drawing.ts'
import type { DocumentFile } from '../documents/read-document-file.ts'
import { freezeQuote } from './draw-quote.ts'
import { findQuote } from './quote-store.ts'

export const getQuoteFile = defineOperation({
  name: 'get-quote-file',
  summary: 'Get the PDF of a quote',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: everyRole,
  async run(context, actor, { id }): Promise<DocumentFile> {
    const snapshot = await printedQuote(context, actor, id)
    const filename = snapshot.number === null ? 'quote-draft.pdf' : fileName(snapshot.number)
    return { filename, content: await drawPdf(context, actor, snapshot) }
  },
})

// What is printed of a quote: as it was sent, or as it is now.
export async function printedQuote(
  { database: { sql }, clock }: BooksContext,
  actor: Actor,
  id: string,
): Promise<DocumentSnapshot> {
  const quote = await findQuote(sql, actor, id)
  if (!quote) throw notFound('quote')
  if (quote.status !== 'draft' && quote.snapshot) return quote.snapshot
  const contact = assertDefined(
    await findContact(sql, actor, quote.contactId),
    'a quote without a contact',
  )
  // Without its number it is marked as a draft, even if an earlier version was sent.
  return freezeQuote(sql, actor, { ...quote, number: null }, contact, clock.now())
}
