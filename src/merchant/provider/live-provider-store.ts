import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { ProviderName } from './provider.ts'

export type LiveProvider = {
  readonly name: ProviderName
  readonly recordedAt: Date
  readonly separatedAt: Date | null
}

export async function findLiveProvider(sql: Sql | Tx): Promise<LiveProvider | undefined> {
  const [row] = await sql<LiveProvider[]>`
    select name, recorded_at, separated_at
    from merchant.live_provider`
  return row
}

// Whether the simulator served this business once, and does not any more.
export async function findSimulatorClosed(tx: Tx, tenant: Tenant): Promise<boolean> {
  const rows = await tx`
    select
    from merchant.live_provider
    join kernel.businesses as business
      on business.id = ${tenant.businessId}
    where ${tenant.environment} = 'live'
      and not business.is_demo`
  return rows.length > 0
}

// Does nothing where there is one.
export async function insertLiveProvider(
  sql: Sql,
  name: ProviderName,
  recordedAt: Date,
): Promise<void> {
  await sql`
    insert into merchant.live_provider (id, name, recorded_at)
    values (1, ${name}, ${recordedAt})
    on conflict do nothing`
}

export async function updateLiveProviderSeparated(sql: Sql, separatedAt: Date): Promise<void> {
  await sql`
    update merchant.live_provider
    set separated_at = ${separatedAt}`
}

export type AccountBalance = {
  readonly account: string
  readonly currency: string
  readonly amountMinor: bigint
}

// What the ledger accounts hold beside money that a real provider has moved: everything but the
// entries of payments and payouts that have a transaction of such a provider, and of what followed
// from those payments.
export async function listSimulatedBalances(tx: Tx, tenant: Tenant): Promise<AccountBalance[]> {
  return tx<AccountBalance[]>`
    with real_payment as (
      select id
      from merchant.payments
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and provider is distinct from 'simulator'
        and provider_transaction_id is not null
    ),
    real_source as (
      select id
      from real_payment
      union all
      select refund.id
      from merchant.refunds as refund
      join real_payment on real_payment.id = refund.payment_id
      where refund.business_id = ${tenant.businessId}
        and refund.environment = ${tenant.environment}
      union all
      select charge.id
      from merchant.unmatched_charges as charge
      join merchant.payments as payment
        on payment.business_id = charge.business_id
        and payment.environment = charge.environment
        and payment.id = charge.payment_id
      where charge.business_id = ${tenant.businessId}
        and charge.environment = ${tenant.environment}
        and payment.provider is distinct from 'simulator'
      union all
      select chargeback.id
      from merchant.chargebacks as chargeback
      join real_payment on real_payment.id = chargeback.payment_id
      where chargeback.business_id = ${tenant.businessId}
        and chargeback.environment = ${tenant.environment}
      union all
      select id
      from merchant.payouts
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and provider is distinct from 'simulator'
        and provider_transfer_id is not null
    )
    select line.account, line.currency, sum(line.amount_minor)::bigint as amount_minor
    from kernel.ledger_entries as entry
    join kernel.ledger_lines as line
      on line.business_id = entry.business_id
      and line.environment = entry.environment
      and line.entry_id = entry.id
    where entry.business_id = ${tenant.businessId}
      and entry.environment = ${tenant.environment}
      and not exists (
        select
        from real_source
        where real_source.id = entry.source_id
      )
    group by line.account, line.currency
    having sum(line.amount_minor) <> 0
    order by line.account, line.currency`
}

export async function findSeparated(tx: Tx, tenant: Tenant): Promise<boolean> {
  const [row] = await tx<unknown[]>`
    select 1
    from kernel.ledger_entries
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and kind = 'provider.separated'`
  return row !== undefined
}

const real: ProviderName = 'flutterwave'

// Ids of what has not ended and went to the simulator, or was promised from its money.
export async function listOpenSimulated(
  tx: Tx,
  tenant: Tenant,
): Promise<{ paymentIds: string[]; payoutIds: string[]; refundIds: string[] }> {
  const [row] = await tx<{ paymentIds: string[]; payoutIds: string[]; refundIds: string[] }[]>`
    select
      array(
        select id
        from merchant.payments
        where business_id = ${tenant.businessId}
          and environment = ${tenant.environment}
          and status in ('pending', 'processing')
          and provider = 'simulator'
        order by id) as payment_ids,
      array(
        select id
        from merchant.payouts
        where business_id = ${tenant.businessId}
          and environment = ${tenant.environment}
          and (
            (status = 'pending' and provider is distinct from ${real})
            or (status = 'processing' and provider = 'simulator')
            or (status = 'processing' and provider is null and sends = 0)
          )
        order by id) as payout_ids,
      array(
        select refund.id
        from merchant.refunds as refund
        join merchant.payments as payment
          on payment.business_id = refund.business_id
          and payment.environment = refund.environment
          and payment.id = refund.payment_id
        where refund.business_id = ${tenant.businessId}
          and refund.environment = ${tenant.environment}
          and refund.status in ('pending', 'accepted')
          and payment.provider = 'simulator'
        order by refund.id) as refund_ids`
  return row ?? { paymentIds: [], payoutIds: [], refundIds: [] }
}

// Payouts from before providers were kept, without an answer: the real provider may have them, so
// they are looked up; but they are not sent again, since the money may be the simulator's. That is
// what happens after a refused second send.
export async function updateUnansweredPayouts(tx: Tx, tenant: Tenant, now: Date): Promise<void> {
  await tx`
    update merchant.payouts
    set refused_at = ${now}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and status = 'processing'
      and provider is null
      and sends > 0
      and provider_transfer_id is null
      and refused_at is null`
}

// The simulator is not asked again about what has ended.
export async function updateNoMoreLooks(tx: Tx, tenant: Tenant): Promise<void> {
  await tx`
    update merchant.payouts
    set next_look_at = null
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and provider = 'simulator'
      and next_look_at is not null`
  await tx`
    update merchant.refunds as refund
    set next_look_at = null
    from merchant.payments as payment
    where refund.business_id = ${tenant.businessId}
      and refund.environment = ${tenant.environment}
      and refund.given_up_at is not null
      and payment.business_id = refund.business_id
      and payment.environment = refund.environment
      and payment.id = refund.payment_id
      and payment.provider = 'simulator'`
}
