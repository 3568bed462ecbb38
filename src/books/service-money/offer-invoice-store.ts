// The invoice that is paid through a link, a code or a subscription.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'

export async function findInvoiceOfOffer(
  sql: Sql | Tx,
  tenant: Tenant,
  offerId: string,
): Promise<string | undefined> {
  const [row] = await sql<{ documentId: string }[]>`
    select document_id
    from books.offer_invoices
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and offer_id = ${offerId}`
  return row?.documentId
}

// Two are as good as all: a text that names several means none in particular.
export async function listInvoicesByNumber(
  sql: Sql | Tx,
  tenant: Tenant,
  numbers: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from books.documents
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and kind = 'invoice'
      and number = any (${[...numbers]}::text[])
    limit 2`
  return rows.map(({ id }) => id)
}

// The last one set counts.
export async function insertOfferInvoice(
  tx: Tx,
  tenant: Tenant,
  offer: { readonly offerId: string; readonly documentId: string; readonly createdAt: Date },
): Promise<void> {
  const { businessId, environment } = tenant
  await tx`
    insert into books.offer_invoices ${tx({ businessId, environment, ...offer })}
    on conflict (business_id, environment, offer_id)
      do update set document_id = excluded.document_id, created_at = excluded.created_at`
}
