// An invoice that a payer pays on its page. Invoices belong to the books, which this service does
// not know: what it needs is given to it.
import type { HostedObject } from '../../kernel/basics/hosted-reference.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { PageRequest } from '../../kernel/web/page.ts'
import type { Offer } from './offer.ts'

export type Invoices = {
  // By the address of its page.
  open(page: HostedObject): Promise<Offer | undefined>
  openById(tenant: Tenant, id: string): Promise<Offer | undefined>
  // The customer looks at it.
  view(offer: Offer, request: PageRequest): Promise<void>
}

// What the books tell of an issued invoice.
export type ToldInvoice = {
  readonly id: string
  // Of its page.
  readonly path: string
  readonly currency: string
  readonly dueMinor: bigint
  readonly isVoid: boolean
  // Whether the business wants it paid here, and whether in parts.
  readonly takesPayments: boolean
  readonly takesParts: boolean
  readonly payer: { readonly email: string | null; readonly name: string }
  readonly invoice: InvoiceOffer
}

export type InvoiceOffer = {
  readonly number: string
  readonly status: 'open' | 'partly_paid' | 'overdue' | 'paid' | 'void'
  readonly contactName: string
  readonly currency: string
  // Days, as `2026-11-16`.
  readonly date: string
  readonly dueDate: string
  readonly reference: string | null
  // Amounts of lines and taxes are decimal text.
  readonly lines: readonly InvoiceLine[]
  readonly subtotal: string
  readonly taxes: readonly { readonly name: string; readonly amount: string }[]
  readonly totalMinor: bigint
  // What payments and credits left.
  readonly dueMinor: bigint
  readonly notes: string | null
  // How to pay in another way, in the words of the business.
  readonly paymentDetails: string | null
  readonly pdfPath: string
  // Payments that the provider has not confirmed yet.
  readonly unconfirmedMinor: bigint
  // Records the charge in the transaction that creates the payment. False if nothing is due any
  // more.
  hold(tx: Tx, charge: { paymentId: string; amountMinor: bigint }): Promise<boolean>
}

export type InvoiceLine = {
  readonly description: string
  readonly quantity: string
  readonly unitPrice: string
  readonly net: string
}
