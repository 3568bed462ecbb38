import { z } from 'zod'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { findContact } from '../contacts/contact-store.ts'
import { defineOperation } from '../context.ts'
import { fileName } from '../documents/document-snapshot.ts'
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
    const { sql } = context.database
    const quote = await findQuote(sql, actor, id)
    if (!quote) throw notFound('quote')
    if (quote.status !== 'draft' && quote.snapshot) {
      const { snapshot } = quote
      const filename = fileName(snapshot.number ?? 'quote')
      return { filename, content: await drawPdf(context, actor, snapshot) }
    }
    const contact = assertDefined(
      await findContact(sql, actor, quote.contactId),
      'a quote without a contact',
    )
    // Without its number it is marked as a draft, even if an earlier version was sent.
    const draft = { ...quote, number: null }
    const snapshot = await freezeQuote(sql, actor, draft, contact, context.clock.now())
    return { filename: 'quote-draft.pdf', content: await drawPdf(context, actor, snapshot) }
  },
})
