import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { InvoicePage } from './invoice-page.ts'

export async function insertInvoicePage(
  tx: Tx,
  tenant: Tenant,
  page: Omit<InvoicePage, 'viewedAt'>,
): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into books.invoice_pages ${tx({ businessId, environment, ...page })}`
}

export async function findInvoicePage(
  sql: Sql | Tx,
  tenant: Tenant,
  documentId: string,
): Promise<InvoicePage | undefined> {
  const [row] = await sql<InvoicePage[]>`
    select document_id, public_id, created_at, viewed_at
    from books.invoice_pages
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and document_id = ${documentId}`
  return row
}

export async function findInvoicePageByPublicId(
  sql: Sql | Tx,
  tenant: Tenant,
  publicId: string,
): Promise<InvoicePage | undefined> {
  const [row] = await sql<InvoicePage[]>`
    select document_id, public_id, created_at, viewed_at
    from books.invoice_pages
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and public_id = ${publicId}`
  return row
}

// The first time counts.
export async function updateViewed(
  sql: Sql | Tx,
  tenant: Tenant,
  documentId: string,
  viewedAt: Date,
): Promise<void> {
  await sql`
    update books.invoice_pages
    set viewed_at = ${viewedAt}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and document_id = ${documentId}
      and viewed_at is null`
}
