// An accepted quote becomes a draft invoice, which a person reviews like any other.
import { z } from 'zod'
import { Fault } from '../../kernel/basics/fault.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { addDocument } from '../documents/create-document.ts'
import type { DocumentLine, DocumentWithLines } from '../documents/document.ts'
import type { LineInput } from '../documents/document-input.ts'
import { storedDecimal } from '../input/decimal-text.ts'
import { changeQuote, requireStatus } from './change-quote.ts'

export const invoiceQuote = defineOperation({
  name: 'invoice-quote',
  summary: 'Create a draft invoice from an accepted quote',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: writerRoles,
  async run(context, actor, { id }): Promise<DocumentWithLines> {
    const invoiceId = context.ids.uuid()
    let invoice: DocumentWithLines | undefined
    await changeQuote(context, actor, id, 'quote.invoice', async (tx, quote) => {
      requireStatus(quote, ['accepted'], 'Only an accepted quote can be invoiced.')
      const input = {
        contactId: quote.contactId,
        currency: quote.currency,
        reference: quote.reference ?? quote.number ?? undefined,
        notes: quote.notes ?? undefined,
        lines: quote.lines.map(lineInput),
      }
      invoice = await addDocument(tx, context, actor, 'invoice', input, invoiceId)
      // The customer accepted exactly these amounts.
      if (invoice.totalMinor !== quote.totalMinor) {
        throw new Fault(
          'conflict',
          'The total of the invoice would differ from the quote, because the rounding of tax has ' +
            'changed. Revise the quote and send it again.',
        )
      }
      return { status: 'invoiced', invoiceId }
    })
    if (!invoice) throw new Error('a quote was invoiced without an invoice')
    return invoice
  },
})

function lineInput(line: DocumentLine): LineInput {
  return {
    description: line.description,
    quantity: storedDecimal(line.quantity),
    unitPrice: storedDecimal(line.unitPrice),
    discountPct: storedDecimal(line.discountPct),
    ...(line.itemId !== null && { itemId: line.itemId }),
    ...(line.accountId !== null && { accountId: line.accountId }),
    ...(line.taxCodeId !== null && { taxCodeId: line.taxCodeId }),
  }
}
