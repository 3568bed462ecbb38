// Charges of the payment service for invoices.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'

export type InvoiceCharge = {
  // The payment at the payment service.
  readonly paymentId: string
  readonly documentId: string
  readonly currency: string
  readonly amountMinor: bigint
  readonly createdAt: Date
  // When it had failed or was booked.
  readonly endedAt: Date | null
}

export async function insertInvoiceCharge(
  tx: Tx,
  tenant: Tenant,
  charge: Omit<InvoiceCharge, 'endedAt'>,
): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into books.invoice_charges ${tx({ businessId, environment, ...charge })}`
}

export async function findInvoiceCharge(
  sql: Sql | Tx,
  tenant: Tenant,
  paymentId: string,
): Promise<InvoiceCharge | undefined> {
  const [row] = await sql<InvoiceCharge[]>`
    select payment_id, document_id, currency, amount_minor, created_at, ended_at
    from books.invoice_charges
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and payment_id = ${paymentId}`
  return row
}

// Those of an invoice that are under way.
export async function listChargesUnderWay(
  sql: Sql | Tx,
  tenant: Tenant,
  documentId: string,
): Promise<InvoiceCharge[]> {
  return sql<InvoiceCharge[]>`
    select payment_id, document_id, currency, amount_minor, created_at, ended_at
    from books.invoice_charges
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and document_id = ${documentId}
      and ended_at is null
    order by created_at, payment_id`
}

// The number of the invoice whose charge has been under way for the longest time.
export async function findInvoiceUnderCharge(
  sql: Sql | Tx,
  tenant: Tenant,
): Promise<{ readonly number: string | null } | undefined> {
  const [row] = await sql<{ number: string | null }[]>`
    select document.number
    from books.invoice_charges as charge
    join books.documents as document
      on document.business_id = charge.business_id
      and document.environment = charge.environment
      and document.id = charge.document_id
    where charge.business_id = ${tenant.businessId}
      and charge.environment = ${tenant.environment}
      and charge.ended_at is null
    order by charge.created_at
    limit 1`
  return row
}

export async function updateChargeEnded(
  tx: Tx,
  tenant: Tenant,
  paymentId: string,
  endedAt: Date,
): Promise<void> {
  await tx`
    update books.invoice_charges
    set ended_at = ${endedAt}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and payment_id = ${paymentId}
      and ended_at is null`
}
