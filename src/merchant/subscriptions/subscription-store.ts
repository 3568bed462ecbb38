import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Subscription } from './subscription.ts'

export async function findSubscription(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<Subscription | undefined> {
  const [row] = await sql<Subscription[]>`
    select ${columns(sql)}
    from merchant.subscriptions
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row
}

// Everything that changes a subscription or one of its periods locks it first, and after the
// payment that it is about.
export async function lockSubscription(
  tx: Tx,
  tenant: Tenant,
  id: string,
): Promise<Subscription | undefined> {
  const [row] = await tx<Subscription[]>`
    select ${columns(tx)}
    from merchant.subscriptions
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
    for update`
  return row
}

// Newest first.
export async function listSubscriptions(
  sql: Sql | Tx,
  tenant: Tenant,
  limit: number,
): Promise<Subscription[]> {
  return sql<Subscription[]>`
    select ${columns(sql)}
    from merchant.subscriptions
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
    order by id desc
    limit ${limit}`
}

// Of all tenants: what the worker has to see to now, the longest due first. A business that is not
// verified waits, and holds up nobody.
export async function listDueSubscriptions(
  sql: Sql,
  now: Date,
  limit: number,
): Promise<(Tenant & { readonly id: string })[]> {
  return sql<(Tenant & { readonly id: string })[]>`
    select subscription.business_id, subscription.environment, subscription.id
    from merchant.subscriptions as subscription
    join merchant.profiles as profile
      on profile.business_id = subscription.business_id
    where subscription.next_at <= ${now}
      and (subscription.environment = 'test' or profile.kyc_status = 'verified')
    order by subscription.next_at
    limit ${limit}`
}

export async function insertSubscription(
  tx: Tx,
  tenant: Tenant,
  subscription: Subscription,
): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into merchant.subscriptions ${tx({ businessId, environment, ...subscription })}`
}

// Writes the given fields of a subscription that the caller has locked.
export async function updateSubscription(
  tx: Tx,
  tenant: Tenant,
  id: string,
  changes: Partial<Omit<Subscription, 'id'>> & { updatedAt: Date },
): Promise<void> {
  await tx`
    update merchant.subscriptions
    set ${tx(changes)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

function columns(sql: Sql | Tx) {
  return sql`
    id, plan_id, status, payer_email, payer_name, card_sealed, card_email, anchor_day, period,
    next_at, cancel_at_period_end, cancelled_at, created_at, updated_at`
}
