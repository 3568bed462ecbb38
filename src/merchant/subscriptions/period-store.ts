// The periods of a subscription. The caller has locked the subscription.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Period } from './subscription.ts'

export async function findPeriod(
  sql: Sql | Tx,
  tenant: Tenant,
  subscriptionId: string,
  number: number,
): Promise<Period | undefined> {
  const [row] = await sql<Period[]>`
    select ${columns(sql)}
    from merchant.subscription_periods
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and subscription_id = ${subscriptionId}
      and number = ${number}`
  return row
}

// Open payments of a subscription: at most one, of its newest period.
export async function listOpenPaymentIds(
  sql: Sql | Tx,
  tenant: Tenant,
  subscriptionId: string,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from merchant.payments
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and subscription_id = ${subscriptionId}
      and status in ('pending', 'processing')
    order by id`
  return rows.map(({ id }) => id)
}

// Payments that check a new card: at most one.
export async function listCardChecksUnderWay(
  sql: Sql | Tx,
  tenant: Tenant,
  subscriptionId: string,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from merchant.payments
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and card_subscription_id = ${subscriptionId}
      and status in ('pending', 'processing')
    order by id`
  return rows.map(({ id }) => id)
}

export async function insertPeriod(
  tx: Tx,
  tenant: Tenant,
  subscriptionId: string,
  period: Period,
): Promise<void> {
  const row = { ...tenantColumns(tenant), subscriptionId, ...period }
  await tx`insert into merchant.subscription_periods ${tx(row)}`
}

export async function updatePeriod(
  tx: Tx,
  tenant: Tenant,
  subscriptionId: string,
  number: number,
  changes: Partial<Omit<Period, 'number'>>,
): Promise<void> {
  await tx`
    update merchant.subscription_periods
    set ${tx(changes)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and subscription_id = ${subscriptionId}
      and number = ${number}`
}

function tenantColumns({ businessId, environment }: Tenant): Tenant {
  return { businessId, environment }
}

function columns(sql: Sql | Tx) {
  return sql`
    number, starts_on, ends_before, paid_at, payment_id, sends, sent_at, failures, created_at`
}
