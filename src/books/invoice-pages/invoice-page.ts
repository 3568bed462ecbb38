// The page of an issued invoice. Its address contains a random id, so it can't be guessed from the
// id of the invoice.
import { hostedReference } from '../../kernel/basics/hosted-reference.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'

export type InvoicePage = {
  readonly documentId: string
  readonly publicId: string
  readonly createdAt: Date
  // When the customer opened it first.
  readonly viewedAt: Date | null
}

export function invoicePath(tenant: Tenant, publicId: string): string {
  return `/i/${hostedReference(tenant, publicId)}`
}

export function invoiceUrl(publicUrl: string, tenant: Tenant, publicId: string): string {
  return `${publicUrl}${invoicePath(tenant, publicId)}`
}
