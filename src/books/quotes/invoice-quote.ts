// An accepted quote becomes a draft invoice, which a person reviews like any other.
import type { Actor } from '../../kernel/auth/actor.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { BooksContext } from '../context.ts'
import { addDocument, type WholeDocument } from '../documents/create-document.ts'
import type { DocumentLine } from '../documents/document.ts'
import type { LineInput } from '../documents/document-input.ts'
import { storedDecimal } from '../input/decimal-text.ts'
import { requireRole } from '../operations/permissions.ts'
import { changeQuote, requireStatus } from './write-quote.ts'

export async function invoiceQuote(
  context: BooksContext,
  actor: Actor,
  id: string,
): Promise<WholeDocument> {
  requireRole(actor, 'write')
  const invoiceId = context.ids.uuid()
  let invoice: WholeDocument | undefined
  await changeQuote(context, actor, id, 'quote.invoice', async (tx, quote) => {
    requireStatus(quote, ['accepted'], 'Only what the customer accepted can be invoiced.')
    const input = {
      contact_id: quote.contactId,
      currency: quote.currency,
      reference: quote.reference ?? quote.number ?? undefined,
      notes: quote.notes ?? undefined,
      lines: quote.lines.map(lineInput),
    }
    invoice = await addDocument(tx, context, actor, 'invoice', input, invoiceId)
    // The customer accepted these amounts and no others.
    if (invoice.document.totalMinor !== quote.totalMinor) {
      throw new Fault(
        'conflict',
        'The invoice would come to another amount than the quote, since the rounding of tax has ' +
          'changed. Revise the quote and send it again.',
      )
    }
    return { status: 'invoiced', invoiceId }
  })
  if (!invoice) throw new Error('a quote was invoiced without an invoice')
  return invoice
}

function lineInput(line: DocumentLine): LineInput {
  return {
    description: line.description,
    quantity: storedDecimal(line.quantity),
    unit_price: storedDecimal(line.unitPrice),
    discount_pct: storedDecimal(line.discountPct),
    ...(line.itemId !== null && { item_id: line.itemId }),
    ...(line.accountId !== null && { account_id: line.accountId }),
    ...(line.taxCodeId !== null && { tax_code_id: line.taxCodeId }),
  }
}
