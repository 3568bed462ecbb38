import type { Tenant } from '../../kernel/basics/tenant.ts'
import { containing } from '../../kernel/db/contains.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { OfferFilter } from '../checkout/offer-fields.ts'
import type { PaymentLink } from './payment-link.ts'

export async function findLink(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<PaymentLink | undefined> {
  const [row] = await sql<PaymentLink[]>`
    select ${columns(sql)}
    from merchant.payment_links
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row
}

export async function lockLink(
  tx: Tx,
  tenant: Tenant,
  id: string,
): Promise<PaymentLink | undefined> {
  const [row] = await tx<PaymentLink[]>`
    select ${columns(tx)}
    from merchant.payment_links
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
    for update`
  return row
}

// Newest first: the ids sort by the time they were made.
export async function listLinks(
  sql: Sql | Tx,
  tenant: Tenant,
  wanted: OfferFilter,
): Promise<PaymentLink[]> {
  return sql<PaymentLink[]>`
    select ${columns(sql)}
    from merchant.payment_links
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      ${wanted.reference ? sql`and reference = ${wanted.reference}` : sql``}
      ${
        wanted.search
          ? sql`and concat_ws(' ', title, reference) ilike ${containing(wanted.search)}`
          : sql``
      }
      ${wanted.startingAfter ? sql`and id < ${wanted.startingAfter}` : sql``}
    order by id desc
    limit ${wanted.limit}`
}

export async function updateLinkState(
  tx: Tx,
  tenant: Tenant,
  id: string,
  state: PaymentLink['state'],
): Promise<void> {
  await tx`
    update merchant.payment_links
    set state = ${state}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

export async function insertLink(
  tx: Tx,
  tenant: Tenant,
  { metadata, payerFields, ...link }: PaymentLink,
): Promise<void> {
  const { businessId, environment } = tenant
  await tx`
    insert into merchant.payment_links
      ${tx({
        businessId,
        environment,
        ...link,
        metadata: tx.json(metadata),
        payerFields: tx.json(payerFields),
      })}`
}

function columns(sql: Sql | Tx) {
  return sql`
    id, state, title, description, currency, amount_minor, preset_amount_minor, expires_at,
    image_url, return_url, split_recipient_id, reference, metadata, payer_fields,
    created_at`
}
