import { addSeconds } from '../../kernel/basics/clock.ts'
import { lowestUuidAt } from '../../kernel/basics/id.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { RowScope } from '../row-scope.ts'
import type { Payout } from './payout.ts'

export type PayoutOfTenant = { readonly tenant: Tenant; readonly payout: Payout }

export async function findPayout(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<Payout | undefined> {
  const [row] = await sql<Payout[]>`
    select ${columns(sql)}
    from merchant.payouts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row
}

// Everything that changes a payout locks it first: before its approval, and before the balance.
export async function lockPayout(tx: Tx, tenant: Tenant, id: string): Promise<Payout | undefined> {
  const [row] = await tx<Payout[]>`
    select ${columns(tx)}
    from merchant.payouts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
    for update`
  return row
}

// Newest first: ids sort by creation time.
export async function listPayouts(
  sql: Sql | Tx,
  tenant: Tenant,
  limit: number,
  startingAfter?: string,
): Promise<Payout[]> {
  return sql<Payout[]>`
    select ${columns(sql)}
    from merchant.payouts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      ${startingAfter ? sql`and id < ${startingAfter}` : sql``}
    order by id desc
    limit ${limit}`
}

// The amount of payouts requested since then that are paid out or waiting. An id is made shortly
// before its row, so ids narrow the search.
export async function findPaidOutSinceMinor(
  sql: Sql | Tx,
  tenant: Tenant,
  currency: string,
  since: Date,
): Promise<bigint> {
  const [row] = await sql<{ totalMinor: bigint }[]>`
    select coalesce(sum(amount_minor), 0)::bigint as total_minor
    from merchant.payouts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id >= ${lowestUuidAt(addSeconds(since, -3600))}
      and created_at >= ${since}
      and currency = ${currency}
      and status not in ('failed', 'cancelled')`
  return row?.totalMinor ?? 0n
}

// Newest first.
// What went out, or is about to, without an approval.
export async function findUnapprovedPayouts(
  sql: Sql,
  tenant: Tenant,
  currency: string,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<{ readonly count: number; readonly totalMinor: bigint }> {
  const [row] = await sql<{ count: number; totalMinor: bigint }[]>`
    select count(*)::integer as count, coalesce(sum(amount_minor), 0)::bigint as total_minor
    from merchant.payouts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and currency = ${currency}
      and approval_id is null
      and status in ('processing', 'completed')
      and created_at > ${from}
      and created_at <= ${to}`
  return row ?? { count: 0, totalMinor: 0n }
}

export async function listReservingPayouts(
  sql: Sql | Tx,
  tenant: Tenant,
  currency: string,
  limit: number,
): Promise<Payout[]> {
  return sql<Payout[]>`
    select ${columns(sql)}
    from merchant.payouts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and currency = ${currency}
      and status in ('pending', 'processing')
    order by id desc
    limit ${limit}`
}

// Of all tenants: payouts that the resolver must look at now, the longest due first.
export async function listPayoutsToLookAt(
  sql: Sql,
  now: Date,
  limit: number,
): Promise<PayoutOfTenant[]> {
  const rows = await sql<(Payout & Tenant)[]>`
    select business_id, environment, ${columns(sql)}
    from merchant.payouts
    where next_look_at <= ${now}
    order by next_look_at
    limit ${limit}`
  return rows.map(({ businessId, environment, ...payout }) => ({
    tenant: { businessId, environment },
    payout,
  }))
}

// Of a scope: sent payouts that the provider has not answered, oldest first.
export async function listUnansweredPayouts(
  sql: Sql,
  scope: RowScope,
  limit: number,
): Promise<PayoutOfTenant[]> {
  const rows = await sql<(Payout & Tenant)[]>`
    select business_id, environment, ${columns(sql)}
    from merchant.payouts
    where next_look_at is not null
      and status = 'processing'
      and sends > 0
      and provider_transfer_id is null
      and (${scope.businessId}::uuid is null or business_id = ${scope.businessId})
      and (${scope.environment}::text is null or environment = ${scope.environment})
    order by sent_at, id
    limit ${limit}`
  return rows.map(({ businessId, environment, ...payout }) => ({
    tenant: { businessId, environment },
    payout,
  }))
}

// The last completed payout of a currency before a moment.
export async function findPayoutBefore(
  sql: Sql,
  tenant: Tenant,
  currency: string,
  moment: Date,
): Promise<Payout | undefined> {
  const [row] = await sql<Payout[]>`
    select ${columns(sql)}
    from merchant.payouts
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and currency = ${currency}
      and status = 'completed'
      and ended_at < ${moment}
    order by ended_at desc
    limit 1`
  return row
}

export async function insertPayout(tx: Tx, tenant: Tenant, payout: Payout): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into merchant.payouts ${tx({ businessId, environment, ...payout })}`
}

// Writes the given fields of a payout that the caller has locked.
export async function updatePayout(
  tx: Tx,
  tenant: Tenant,
  id: string,
  changes: Partial<Omit<Payout, 'id'>> & { updatedAt: Date },
): Promise<void> {
  await tx`
    update merchant.payouts
    set ${tx(changes)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

// Claims the look at a payout: of two resolvers that found it due, one moves its time. False for
// the other, and if it was sent or has ended meanwhile.
export async function updateNextLook(
  sql: Sql,
  tenant: Tenant,
  payout: Pick<Payout, 'id' | 'status' | 'sends' | 'nextLookAt'>,
  nextLookAt: Date | null,
): Promise<boolean> {
  const rows = await sql`
    update merchant.payouts
    set next_look_at = ${nextLookAt}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${payout.id}
      and status = ${payout.status}
      and sends = ${payout.sends}
      and next_look_at = ${payout.nextLookAt}
    returning id`
  return rows.length > 0
}

// Counts a send before it happens. False if another process sent it meanwhile, or it has ended.
export async function updateSends(
  tx: Tx,
  tenant: Tenant,
  payout: Pick<Payout, 'id' | 'sends'>,
  at: { readonly now: Date; readonly nextLookAt: Date },
): Promise<boolean> {
  const rows = await tx`
    update merchant.payouts
    set sends = ${payout.sends + 1},
      sent_at = ${at.now},
      next_look_at = ${at.nextLookAt},
      updated_at = ${at.now}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${payout.id}
      and status = 'processing'
      and sends = ${payout.sends}
      and refused_at is null
    returning id`
  return rows.length > 0
}

function columns(sql: Sql | Tx) {
  return sql`
    id, status, currency, amount_minor, left_minor, destination_type, bank_code, account_sealed,
    account_ending, beneficiary_name, requested_by_kind, requested_by, approval_id,
    daily_limit_minor, provider, provider_reference, provider_transfer_id, fee_minor,
    failure_reason, sends, sent_at, refused_at, next_look_at, ended_at, contradicted_at, created_at,
    updated_at`
}
