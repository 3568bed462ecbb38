import type { Tenant } from '../../kernel/basics/tenant.ts'
import { containing } from '../../kernel/db/contains.ts'
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

// Everything that changes a subscription or one of its periods locks it first, after the payment.
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
  // `search` is part of the payer's name or e-mail.
  { search, limit }: { search?: string | undefined; limit: number },
): Promise<Subscription[]> {
  return sql<Subscription[]>`
    select ${columns(sql)}
    from merchant.subscriptions
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      ${
        search
          ? sql`and concat_ws(' ', payer_name, payer_email) ilike ${containing(search)}`
          : sql``
      }
    order by id desc
    limit ${limit}`
}

export async function listSubscriptionsOfPayer(
  sql: Sql,
  tenant: Tenant,
  email: string,
  limit: number,
): Promise<Subscription[]> {
  return sql<Subscription[]>`
    select ${columns(sql)}
    from merchant.subscriptions
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and lower(payer_email) collate "C" = lower(${email})
    order by id desc
    limit ${limit}`
}

export type DueSubscription = Tenant & { readonly id: string; readonly nextAt: Date }

export type DuePage = {
  readonly now: Date
  // The last of the page before.
  readonly after: DueSubscription | undefined
  // Only those with a sent charge whose outcome is unknown.
  readonly onlyCharged: boolean
  readonly limit: number
}

// Of all tenants: subscriptions that the worker must look at now, the longest due first. An
// unverified business waits, and does not block the others.
export async function listDueSubscriptions(
  sql: Sql,
  { now, after, onlyCharged, limit }: DuePage,
): Promise<DueSubscription[]> {
  return sql<DueSubscription[]>`
    select
      subscription.business_id, subscription.environment, subscription.id, subscription.next_at
    from merchant.subscriptions as subscription
    join merchant.profiles as profile
      on profile.business_id = subscription.business_id
    where subscription.next_at <= ${now}
      and (subscription.environment = 'test' or profile.kyc_status = 'verified')
      ${after ? afterCondition(sql, after) : sql``}
      ${onlyCharged ? chargedCondition(sql) : sql``}
    order by
      subscription.next_at, subscription.business_id, subscription.environment, subscription.id
    limit ${limit}`
}

function afterCondition(sql: Sql, { nextAt, businessId, environment, id }: DueSubscription) {
  return sql`
    and (
      subscription.next_at, subscription.business_id, subscription.environment, subscription.id
    ) > (${nextAt}, ${businessId}, ${environment}, ${id})`
}

function chargedCondition(sql: Sql) {
  return sql`
    and exists (
      select
      from merchant.subscription_periods as newest
      join merchant.payments as payment
        on payment.business_id = newest.business_id
        and payment.environment = newest.environment
        and payment.id = newest.payment_id
      where newest.business_id = subscription.business_id
        and newest.environment = subscription.environment
        and newest.subscription_id = subscription.id
        and newest.number = subscription.period
        and payment.status in ('pending', 'processing'))`
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
    id, plan_id, status, payer_email, payer_name, payer_locale, card_sealed, card_email,
    card_provider, card_brand, card_last4, card_payment_id, anchor_day, period, next_at,
    schedule_id, cancel_at_period_end, cancelled_at, created_at, updated_at`
}
