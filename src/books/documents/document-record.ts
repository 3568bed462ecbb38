// A document in the published interface: amounts in major units, exact.
import { z } from 'zod'
import { describedAs, majorNumber, timestamp } from '../../kernel/operations/schemas.ts'
import { storedDecimal } from '../input/decimal-text.ts'
import { type Document, type DocumentWithLines, documentAmounts, majorUnits } from './document.ts'
import { documentKinds, documentStatuses } from './document-status.ts'

const day = () => describedAs(z.string(), { type: 'string', format: 'date' })

export const documentRecord = z.object({
  id: z.uuid(),
  kind: z.enum(documentKinds),
  number: z.string().nullable().meta({ description: 'Given when it is issued; null on drafts.' }),
  status: z.enum(documentStatuses),
  contact_id: z.uuid(),
  date: day(),
  due_date: day(),
  reference: z.string().nullable(),
  credits_document_id: z
    .uuid()
    .nullable()
    .meta({ description: 'The invoice or bill that a credit names.' }),
  currency: z.string(),
  fx_rate: z
    .number()
    .nullable()
    .meta({
      description:
        'To the base currency. Null only on a document that is not in the books, while no rate ' +
        'is known for its currency on or before its date.',
    }),
  subtotal: majorNumber(),
  tax_total: majorNumber(),
  total: majorNumber(),
  amount_paid: majorNumber(),
  amount_credited: majorNumber(),
  // In addition to the documented ones, so that the amounts add up to the total.
  amount_written_off: majorNumber(),
  amount_due: majorNumber(),
  notes: z.string().nullable(),
  created_at: timestamp(),
})

export const documentRecordWithLines = documentRecord.extend({
  hosted_url: z.string().optional().meta({
    description: 'The page on which the customer reads and pays an invoice. Once it is issued.',
    example: 'https://books.example.com/i/2vJ6…',
  }),
  lines: z.array(
    z.object({
      id: z.uuid(),
      position: z.int(),
      item_id: z.uuid().nullable(),
      description: z.string(),
      quantity: z.number(),
      unit_price: majorNumber(),
      discount_pct: z.number(),
      account_id: z.uuid().nullable(),
      tax_code_id: z.uuid().nullable(),
      net: majorNumber(),
      tax: majorNumber(),
      gross: majorNumber(),
    }),
  ),
})

export function presentDocument(document: Document) {
  const { currency, totalMinor, paidMinor, creditedMinor, writtenOffMinor } = document
  const dueMinor = totalMinor - paidMinor - creditedMinor - writtenOffMinor
  const { subtotal, tax_total, total, amount_paid } = documentAmounts(document)
  return {
    id: document.id,
    kind: document.kind,
    number: document.number,
    status: document.status,
    contact_id: document.contactId,
    date: document.date,
    due_date: document.dueDate,
    reference: document.reference,
    credits_document_id: document.creditsDocumentId,
    currency,
    fx_rate: document.fxRate === null ? null : storedDecimal(document.fxRate),
    subtotal,
    tax_total,
    total,
    amount_paid,
    amount_credited: majorUnits(creditedMinor, currency),
    amount_written_off: majorUnits(writtenOffMinor, currency),
    // Nothing is due on a void document.
    amount_due: majorUnits(document.voidedAt ? 0n : dueMinor, currency),
    notes: document.notes,
    created_at: document.createdAt,
  }
}

export function presentDocumentWithLines(document: DocumentWithLines) {
  const { currency, lines } = document
  return {
    ...presentDocument(document),
    ...(document.hostedUrl !== undefined && { hosted_url: document.hostedUrl }),
    lines: lines.map((line) => ({
      id: line.id,
      position: line.position,
      item_id: line.itemId,
      description: line.description,
      quantity: storedDecimal(line.quantity),
      unit_price: storedDecimal(line.unitPrice),
      discount_pct: storedDecimal(line.discountPct),
      account_id: line.accountId,
      tax_code_id: line.taxCodeId,
      net: majorUnits(line.netMinor, currency),
      tax: majorUnits(line.taxMinor, currency),
      gross: majorUnits(line.grossMinor, currency),
    })),
  }
}
