// A document: invoice, credit note, bill, supplier credit or expense claim. One shape for all five;
// what differs is in document-status.ts and in the posting.
import type { TaxRounding } from '../settings/organisation.ts'
import type { DocumentFacts, DocumentStatus } from './document-status.ts'

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
  // Decimal text; null on a draft while no rate is known.
  readonly fxRate: string | null
  readonly taxRounding: TaxRounding
  readonly subtotalMinor: bigint
  readonly taxTotalMinor: bigint
  readonly createdByKind: 'key' | 'person' | 'system'
  readonly createdBy: string
  // Four eyes look at people: who wrote it, or made the key that did; null for the system.
  readonly authorPersonId: string | null
  readonly approvedBy: string | null
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
