// The charges that recurring schedules make on saved cards, one for each schedule and period. The
// caller has locked the subscription before it changes one.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { Violation } from '../../kernel/db/invariant.ts'
import type { PaymentStatus } from '../payments/payment.ts'

export type ScheduleCharge = {
  readonly scheduleId: string
  // Of the period.
  readonly number: number
  readonly day: string
  readonly subscriptionId: string
  readonly paymentId: string
  readonly sends: number
  readonly sentAt: Date
  readonly nextAt: Date | null
  readonly createdAt: Date
}

// The key of the schedule and period makes a second one impossible.
export async function insertScheduleCharge(
  tx: Tx,
  tenant: Tenant,
  charge: ScheduleCharge,
): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into merchant.schedule_charges ${tx({ businessId, environment, ...charge })}`
}

export async function findScheduleCharge(
  sql: Sql | Tx,
  tenant: Tenant,
  paymentId: string,
): Promise<ScheduleCharge | undefined> {
  const [row] = await sql<ScheduleCharge[]>`
    select ${columns(sql)}
    from merchant.schedule_charges
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and payment_id = ${paymentId}`
  return row
}

export async function updateScheduleCharge(
  tx: Tx,
  tenant: Tenant,
  paymentId: string,
  changes: Partial<Pick<ScheduleCharge, 'sends' | 'sentAt' | 'nextAt'>>,
): Promise<void> {
  await tx`
    update merchant.schedule_charges
    set ${tx(changes)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and payment_id = ${paymentId}`
}

// The newest day for which the card was charged, or is being charged.
export async function findLastChargedDay(
  sql: Sql | Tx,
  tenant: Tenant,
  subscriptionId: string,
): Promise<string | undefined> {
  const [row] = await sql<{ day: string }[]>`
    select charge.day
    from merchant.schedule_charges as charge
    join merchant.payments as payment
      on payment.business_id = charge.business_id
      and payment.environment = charge.environment
      and payment.id = charge.payment_id
    where charge.business_id = ${tenant.businessId}
      and charge.environment = ${tenant.environment}
      and charge.subscription_id = ${subscriptionId}
      and payment.business_id = ${tenant.businessId}
      and payment.status <> 'failed'
    order by charge.day desc
    limit 1`
  return row?.day
}

export type MadeCharge = Pick<ScheduleCharge, 'number' | 'paymentId'> & {
  readonly status: PaymentStatus
  readonly currency: string
  readonly amountMinor: bigint
  readonly failureReason: string | null
}

// What a schedule has charged, the newest first.
export async function listScheduleCharges(
  sql: Sql,
  tenant: Tenant,
  scheduleId: string,
  limit: number,
): Promise<MadeCharge[]> {
  return sql<MadeCharge[]>`
    select
      charge.number, charge.payment_id, payment.status, payment.currency, payment.amount_minor,
      payment.failure_reason
    from merchant.schedule_charges as charge
    join merchant.payments as payment
      on payment.business_id = charge.business_id
      and payment.environment = charge.environment
      and payment.id = charge.payment_id
    where charge.business_id = ${tenant.businessId}
      and charge.environment = ${tenant.environment}
      and charge.schedule_id = ${scheduleId}
      and payment.business_id = ${tenant.businessId}
    order by charge.number desc
    limit ${limit}`
}

export type DueCharge = Tenant & Pick<ScheduleCharge, 'paymentId'> & { readonly nextAt: Date }

// Of all tenants: sent charges whose outcome is unknown, the longest due first, after the given
// one.
export async function listDueScheduleCharges(
  sql: Sql,
  { now, after }: { readonly now: Date; readonly after: DueCharge | undefined },
  limit: number,
): Promise<DueCharge[]> {
  return sql<DueCharge[]>`
    select business_id, environment, payment_id, next_at
    from merchant.schedule_charges
    where next_at <= ${now}
      ${after ? sql`and (next_at, payment_id) > (${after.nextAt}, ${after.paymentId})` : sql``}
    order by next_at, payment_id
    limit ${limit}`
}

// A charge is looked up until its outcome is known, and not after that. It pays an invoice, and no
// more than the plan says.
export async function listMisstatedScheduleCharges(
  sql: Sql,
  limit: number,
): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select
      charge.business_id, charge.environment, charge.schedule_id, charge.number, payment.status
    from merchant.schedule_charges as charge
    join merchant.payments as payment
      on payment.business_id = charge.business_id
      and payment.environment = charge.environment
      and payment.id = charge.payment_id
    join merchant.subscriptions as subscription
      on subscription.business_id = charge.business_id
      and subscription.environment = charge.environment
      and subscription.id = charge.subscription_id
    join merchant.plans as plan
      on plan.business_id = subscription.business_id
      and plan.environment = subscription.environment
      and plan.id = subscription.plan_id
    where (payment.status in ('pending', 'processing')) <> (charge.next_at is not null)
      or payment.invoice_id is null
      or payment.currency <> plan.currency
      or payment.amount_minor > plan.amount_minor
    order by charge.business_id, charge.environment, charge.schedule_id, charge.number
    limit ${limit}`
}

function columns(sql: Sql | Tx) {
  return sql`
    schedule_id, number, day, subscription_id, payment_id, sends, sent_at, next_at, created_at`
}
