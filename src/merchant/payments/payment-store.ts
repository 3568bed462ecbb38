import { addSeconds } from '../../kernel/basics/clock.ts'
import { lowestUuidAt } from '../../kernel/basics/id.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Payment, PaymentDetail, PaymentStatus } from './payment.ts'

export async function findPayment(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<Payment | undefined> {
  const [row] = await sql<Payment[]>`
    select ${columns(sql)}
    from merchant.payments
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row
}

// Everything that changes a payment locks it first. Lock the payment before its refunds, its code
// and the balances.
export async function lockPayment(
  tx: Tx,
  tenant: Tenant,
  id: string,
): Promise<Payment | undefined> {
  const [row] = await tx<Payment[]>`
    select ${columns(tx)}
    from merchant.payments
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
    for update`
  return row
}

export type PaymentFilter = {
  readonly status?: PaymentStatus | undefined
  readonly paymentLinkId?: string | undefined
  readonly qrCodeId?: string | undefined
  readonly subscriptionId?: string | undefined
  readonly email?: string | undefined
  readonly createdSince?: Date | undefined
  readonly createdBefore?: Date | undefined
}

// Ids hold the time at which they were made, a moment before that of their payment. They bound what
// is read, so that payments of last year are found without reading those since.
function lowestIdAround(moment: Date, minutes: number): string {
  return lowestUuidAt(addSeconds(moment, minutes * 60))
}

// Newest first: ids sort by creation time.
export async function listPayments(
  sql: Sql | Tx,
  tenant: Tenant,
  wanted: PaymentFilter & { limit: number; startingAfter?: string | undefined },
): Promise<Payment[]> {
  const { createdSince: since, createdBefore: before } = wanted
  return sql<Payment[]>`
    select ${columns(sql)}
    from merchant.payments
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      ${wanted.status ? sql`and status = ${wanted.status}` : sql``}
      ${wanted.paymentLinkId ? sql`and payment_link_id = ${wanted.paymentLinkId}` : sql``}
      ${wanted.qrCodeId ? sql`and qr_code_id = ${wanted.qrCodeId}` : sql``}
      ${wanted.subscriptionId ? sql`and subscription_id = ${wanted.subscriptionId}` : sql``}
      ${wanted.email ? sql`and lower(payer_email) = lower(${wanted.email})` : sql``}
      ${since ? sql`and created_at >= ${since} and id >= ${lowestIdAround(since, -1)}` : sql``}
      ${before ? sql`and created_at < ${before} and id < ${lowestIdAround(before, 1)}` : sql``}
      ${wanted.startingAfter ? sql`and id < ${wanted.startingAfter}` : sql``}
    order by id desc
    limit ${wanted.limit}`
}

export type StalePayment = Tenant & { readonly id: string; readonly checkoutExpiresAt: Date }

// Of all tenants: payments that are still open long after their session ended, oldest first, after
// `after`.
export async function listStalePayments(
  sql: Sql,
  before: Date,
  after: StalePayment | undefined,
  limit: number,
): Promise<StalePayment[]> {
  return sql<StalePayment[]>`
    select business_id, environment, id, checkout_expires_at
    from merchant.payments
    where status in ('pending', 'processing')
      and checkout_expires_at < ${before}
      ${after ? sql`and (checkout_expires_at, id) > (${after.checkoutExpiresAt}, ${after.id})` : sql``}
    order by checkout_expires_at, id
    limit ${limit}`
}

export async function insertPayment(tx: Tx, tenant: Tenant, payment: Payment): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into merchant.payments ${tx({ businessId, environment, ...payment })}`
}

// Writes the given fields of a payment that the caller has locked.
export async function updatePayment(
  tx: Tx,
  tenant: Tenant,
  id: string,
  changes: Partial<Omit<Payment, 'id'>> &
    Partial<Pick<PaymentDetail, 'method'>> & { updatedAt: Date },
): Promise<void> {
  await tx`
    update merchant.payments
    set ${tx(changes)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

function columns(sql: Sql | Tx) {
  return sql`
    id, status, currency, amount_minor, refunded_minor, agreed_fee_minor, fee_minor, net_minor,
    payment_link_id, qr_code_id, subscription_id, subscription_period, split_recipient_id,
    split_minor, split_rule, payer_email, payer_name, failure_reason, provider, provider_reference,
    provider_transaction_id, checkout_url, checkout_expires_at, created_at, updated_at,
    succeeded_at, settled_at`
}
