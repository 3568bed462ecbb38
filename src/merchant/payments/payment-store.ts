import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { insertCustomerName } from '../customers/customer-store.ts'
import type { Payment, PaymentDetail } from './payment.ts'
import type { OffersOfReference, PaymentTotal, WantedPayments } from './payment-filter.ts'
import { findMatching } from './payment-match-store.ts'

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

// Newest first: ids sort by creation time.
export async function listPayments(
  sql: Sql | Tx,
  tenant: Tenant,
  wanted: WantedPayments & { limit: number; startingAfter?: string | undefined },
): Promise<Payment[]> {
  return sql<Payment[]>`
    select ${columns(sql)}
    from merchant.payments
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      ${findMatching(sql, tenant, wanted)}
      ${wanted.startingAfter ? sql`and id < ${wanted.startingAfter}` : sql``}
    order by id desc
    limit ${wanted.limit}`
}

// Reads no more than `rowsMax` payments.
export async function listPaymentTotals(
  sql: Sql,
  tenant: Tenant,
  wanted: WantedPayments,
  rowsMax: number,
): Promise<PaymentTotal[]> {
  return sql<PaymentTotal[]>`
    select
      currency,
      count(*)::integer as count,
      coalesce(sum(amount_minor) filter (
        where status in ('succeeded', 'partially_refunded', 'refunded')), 0)::bigint
        as collected_minor,
      sum(refunded_minor)::bigint as refunded_minor
    from (
      select currency, status, amount_minor, refunded_minor
      from merchant.payments
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        ${findMatching(sql, tenant, wanted)}
      limit ${rowsMax}
    ) as wanted
    group by currency
    order by currency collate "C"`
}

const offersMax = 100

export async function findOffersOfReference(
  sql: Sql,
  tenant: Tenant,
  reference: string,
): Promise<OffersOfReference> {
  const rows = await sql<{ kind: 'link' | 'code'; id: string }[]>`
    (
      select 'link' as kind, id
      from merchant.payment_links
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and reference = ${reference}
      order by id desc
      limit ${offersMax}
    )
    union all
    (
      select 'code' as kind, id
      from merchant.qr_codes
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and reference = ${reference}
      order by id desc
      limit ${offersMax}
    )`
  const idsOf = (wanted: string) => rows.filter(({ kind }) => kind === wanted).map(({ id }) => id)
  return { paymentLinkIds: idsOf('link'), qrCodeIds: idsOf('code') }
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

export async function insertPayment(
  tx: Tx,
  tenant: Tenant,
  { payerAnswers, ...payment }: Payment,
): Promise<void> {
  const { businessId, environment } = tenant
  const answers = payerAnswers && tx.json(payerAnswers)
  const row = { businessId, environment, ...payment, payerAnswers: answers }
  await tx`insert into merchant.payments ${tx(row)}`
  await insertCustomerName(tx, tenant, payment)
}

// Writes the given fields of a payment that the caller has locked.
export async function updatePayment(
  tx: Tx,
  tenant: Tenant,
  id: string,
  changes: Partial<Omit<Payment, 'id' | 'payerAnswers'>> &
    Partial<Pick<PaymentDetail, 'method' | 'cardBrand' | 'cardLast4'>> & { updatedAt: Date },
): Promise<void> {
  await tx`
    update merchant.payments
    set ${tx(changes)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

// The payer corrected them on the form of a payment that the caller has locked.
export async function updatePayerAnswers(
  tx: Tx,
  tenant: Tenant,
  corrected: Payment,
): Promise<void> {
  const { id, payerName, payerAnswers, updatedAt } = corrected
  await tx`
    update merchant.payments
    set payer_name = ${payerName},
      payer_answers = ${payerAnswers && tx.json(payerAnswers)},
      updated_at = ${updatedAt}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  await insertCustomerName(tx, tenant, corrected)
}

function columns(sql: Sql | Tx) {
  return sql`
    id, status, currency, amount_minor, refunded_minor, agreed_fee_minor, fee_minor, net_minor,
    payment_link_id, is_itemised, qr_code_id, subscription_id, subscription_period, invoice_id,
    card_subscription_id, split_recipient_id, split_minor, split_rule, payer_email, payer_name,
    payer_locale, payer_answers, receipt_key, failure_reason, provider, provider_reference,
    provider_transaction_id, checkout_url, checkout_expires_at, created_at, updated_at,
    succeeded_at, settled_at`
}
