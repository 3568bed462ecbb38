import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { SubscriberPage } from './subscriber-page.ts'

export async function insertSubscriberPage(
  tx: Tx,
  tenant: Tenant,
  page: SubscriberPage,
): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into merchant.subscriber_pages ${tx({ businessId, environment, ...page })}`
}

export async function findSubscriberPage(
  sql: Sql | Tx,
  tenant: Tenant,
  subscriptionId: string,
): Promise<SubscriberPage | undefined> {
  const [row] = await sql<SubscriberPage[]>`
    select subscription_id, public_id, created_at
    from merchant.subscriber_pages
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and subscription_id = ${subscriptionId}`
  return row
}

export async function findSubscriberPageByPublicId(
  sql: Sql | Tx,
  tenant: Tenant,
  publicId: string,
): Promise<SubscriberPage | undefined> {
  const [row] = await sql<SubscriberPage[]>`
    select subscription_id, public_id, created_at
    from merchant.subscriber_pages
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and public_id = ${publicId}`
  return row
}

// False if the subscription has no page.
export async function updateSubscriberPage(
  tx: Tx,
  tenant: Tenant,
  { subscriptionId, publicId, createdAt }: SubscriberPage,
): Promise<boolean> {
  const result = await tx`
    update merchant.subscriber_pages
    set public_id = ${publicId},
      created_at = ${createdAt}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and subscription_id = ${subscriptionId}`
  return result.count === 1
}
