// A document: invoice, credit note, bill, supplier credit or expense claim. All five have the same
// shape; the differences are in document-status.ts and in the posting.
import { currencyOf } from '../../kernel/money/currency.ts'
import type { Decimal } from '../../kernel/money/decimal.ts'
import { fromMinor } from '../../kernel/money/minor-units.ts'
import type { TaxRounding } from '../settings/organisation.ts'
import { type DocumentFacts, type DocumentStatus, isSale } from './document-status.ts'

export type Document = DocumentFacts & {
  readonly id: string
  readonly status: DocumentStatus
  readonly number: string | null
  readonly contactId: string
  // Days are `YYYY-MM-DD`.
  readonly date: string
  readonly dueDate: string
  readonly reference: string | null
  readonly notes: string | null
  readonly currency: string
  // What a credit note or supplier credit is about.
  readonly creditsDocumentId: string | null
  // Decimal text; null on a draft without a known rate.
  readonly fxRate: string | null
  // Whether a person entered the rate. Otherwise a draft is posted at the rate of its date.
  readonly fxRateStated: boolean
  readonly taxRounding: TaxRounding
  readonly subtotalMinor: bigint
  readonly taxTotalMinor: bigint
  readonly createdByKind: 'key' | 'person' | 'system'
  readonly createdBy: string
  // The author, or the creator of the key that wrote it, since four eyes are about people; null for
  // the system.
  readonly authorPersonId: string | null
  readonly approvedBy: string | null
  // Why it was returned to its author; cleared when it is submitted again.
  readonly returnReason: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly version: number
}

export type LineTax = {
  readonly name: string
  // Decimal text, in percent.
  readonly rate: string
  readonly taxMinor: bigint
}

export type DocumentLine = {
  readonly id: string
  readonly position: number
  readonly itemId: string | null
  readonly description: string
  // Decimal text.
  readonly quantity: string
  readonly unitPrice: string
  readonly discountPct: string
  readonly accountId: string | null
  readonly taxCodeId: string | null
  readonly taxes: readonly LineTax[]
  readonly netMinor: bigint
  readonly taxMinor: bigint
  readonly grossMinor: bigint
}

// The result of creating, editing or reading a document. A line shows its tax, not the components.
export type DocumentWithLines = Document & {
  readonly lines: readonly Omit<DocumentLine, 'taxes'>[]
  // The page of an issued invoice.
  readonly hostedUrl?: string
}

export function withoutTaxes({ taxes: _, ...line }: DocumentLine): Omit<DocumentLine, 'taxes'> {
  return line
}

// Amounts in major units, for presentation.
export function documentAmounts(document: Document) {
  const { currency } = document
  return {
    subtotal: majorUnits(document.subtotalMinor, currency),
    tax_total: majorUnits(document.taxTotalMinor, currency),
    total: majorUnits(document.totalMinor, currency),
    amount_paid: majorUnits(document.paidMinor, currency),
  }
}

export function majorUnits(amountMinor: bigint, currency: string): Decimal {
  return fromMinor(amountMinor, currencyOf(currency))
}

// Credit notes have the event types of invoices, and supplier credits and claims those of bills.
// Only the kind differs.
export function documentEventType(
  document: Pick<Document, 'kind'>,
  what: {
    sale: 'created' | 'issued' | 'paid' | 'voided'
    purchase: 'created' | 'approved' | 'paid'
  },
): string {
  return isSale(document.kind) ? `invoice.${what.sale}` : `bill.${what.purchase}`
}

export function documentEventData(document: Document) {
  const { subtotal, tax_total, total, amount_paid } = documentAmounts(document)
  return {
    id: document.id,
    kind: document.kind,
    number: document.number,
    status: document.status,
    contact_id: document.contactId,
    date: document.date,
    due_date: document.dueDate,
    currency: document.currency,
    subtotal,
    tax_total,
    total,
    amount_paid,
    reference: document.reference,
  }
}
