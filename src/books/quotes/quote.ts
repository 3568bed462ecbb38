// A quote: an offer to a customer, who accepts or declines it on a hosted page.
//  draft → sent → accepted → invoiced (a draft invoice was created from it)
//           ├──→ declined
//           ├──→ expired (its last day has passed)
//           └──→ draft again, as a new version; the page of the old one is gone
import { hostedReference } from '../../kernel/basics/hosted-reference.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { type DocumentLine, majorUnits } from '../documents/document.ts'
import type { DocumentSnapshot } from '../documents/document-snapshot.ts'
import type { TaxRounding } from '../settings/organisation.ts'

export const quoteStatuses = [
  'draft',
  'sent',
  'accepted',
  'declined',
  'expired',
  'invoiced',
] as const
export type QuoteStatus = (typeof quoteStatuses)[number]

export type Quote = {
  readonly id: string
  readonly status: QuoteStatus
  readonly number: string | null
  readonly version: number
  readonly publicId: string | null
  readonly contactId: string
  readonly leadId: string | null
  // Days are `YYYY-MM-DD`. The quote can be accepted up to and including its expiry date.
  readonly date: string
  readonly expiryDate: string
  readonly reference: string | null
  readonly notes: string | null
  readonly currency: string
  readonly taxRounding: TaxRounding
  readonly subtotalMinor: bigint
  readonly taxTotalMinor: bigint
  readonly totalMinor: bigint
  readonly lines: readonly DocumentLine[]
  readonly snapshot: DocumentSnapshot | null
  readonly sentAt: Date | null
  readonly decidedAt: Date | null
  readonly decidedByName: string | null
  readonly declineReason: string | null
  readonly invoiceId: string | null
  readonly createdByKind: 'key' | 'person' | 'system'
  readonly createdBy: string
  readonly authorPersonId: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export function quoteEventData(quote: Quote) {
  const { currency } = quote
  return {
    id: quote.id,
    number: quote.number,
    status: quote.status,
    contact_id: quote.contactId,
    date: quote.date,
    expiry_date: quote.expiryDate,
    currency,
    subtotal: majorUnits(quote.subtotalMinor, currency),
    tax_total: majorUnits(quote.taxTotalMinor, currency),
    total: majorUnits(quote.totalMinor, currency),
    reference: quote.reference,
    invoice_id: quote.invoiceId,
    ...(quote.status === 'declined' && { reason: quote.declineReason }),
  }
}

// The page of this version.
export function quotePath(tenant: Tenant, publicId: string): string {
  return `/quotes/${hostedReference(tenant, publicId)}`
}

export function quoteUrl(publicUrl: string, tenant: Tenant, { publicId }: Quote): string | null {
  return publicId === null ? null : `${publicUrl}${quotePath(tenant, publicId)}`
}
