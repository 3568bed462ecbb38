import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { PaymentLink } from './payment-link.ts'

export async function findLink(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<PaymentLink | undefined> {
  const [row] = await sql<PaymentLink[]>`
    select
      id, state, title, description, currency, amount_minor, preset_amount_minor, expires_at,
      image_url, return_url, split_recipient_id, created_at
    from merchant.payment_links
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row
}

export async function insertLink(tx: Tx, tenant: Tenant, link: PaymentLink): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into merchant.payment_links ${tx({ businessId, environment, ...link })}`
}
