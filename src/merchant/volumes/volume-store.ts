import { addSeconds } from '../../kernel/basics/clock.ts'
import { lowestUuidAt } from '../../kernel/basics/id.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql } from '../../kernel/db/database.ts'
import type { MovedOnDay } from './volume.ts'

export type Period = { readonly since: Date; readonly before: Date }

// A payout that ends in the period was asked for at most this long before it.
const payoutSeconds = 60 * 24 * 60 * 60

// One statement, and so one snapshot: sums of the same moment. The days are those of the time zone.
export async function listMovedByDay(
  sql: Sql,
  tenant: Tenant,
  { since, before }: Period,
  timeZone: string,
): Promise<MovedOnDay[]> {
  return sql<MovedOnDay[]>`
    select
      currency,
      (moved_at at time zone ${timeZone})::date::text as day,
      sum(count)::integer as count,
      sum(volume_minor)::bigint as volume_minor,
      sum(fee_minor)::bigint as fee_minor,
      sum(split_minor)::bigint as split_minor,
      sum(refund_minor)::bigint as refund_minor,
      sum(payout_minor)::bigint as payout_minor
    from (
      select
        currency, succeeded_at as moved_at, 1 as count, amount_minor as volume_minor, fee_minor,
        coalesce(split_minor, 0) as split_minor, 0 as refund_minor, 0 as payout_minor
      from merchant.payments
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and succeeded_at >= ${since}
        and succeeded_at < ${before}
      union all
      select currency, created_at, 0, 0, 0, 0, amount_minor, 0
      from merchant.refunds
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and id >= ${lowestUuidAt(addSeconds(since, -60))}
        and created_at >= ${since}
        and created_at < ${before}
        and status in ('accepted', 'settled')
      union all
      select currency, ended_at, 0, 0, 0, 0, 0, amount_minor
      from merchant.payouts
      where business_id = ${tenant.businessId}
        and environment = ${tenant.environment}
        and id >= ${lowestUuidAt(addSeconds(since, -payoutSeconds))}
        and ended_at >= ${since}
        and ended_at < ${before}
        and status = 'completed'
        and destination_type = 'provider_bank'
    ) as movement
    group by 1, 2`
}

export type EndedCount = {
  readonly isSuccess: boolean
  readonly isCurrent: boolean
  readonly count: number
}

// How many payments that began in the period have succeeded or failed. Ids hold the time at which a
// payment began, so the index of statuses is enough.
export async function listEndedCounts(
  sql: Sql,
  tenant: Tenant,
  { since, before }: Period,
  currentSince: Date,
): Promise<EndedCount[]> {
  return sql<EndedCount[]>`
    select
      status <> 'failed' as is_success,
      id >= ${lowestUuidAt(currentSince)} as is_current,
      count(*)::integer as count
    from merchant.payments
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and status in ('succeeded', 'partially_refunded', 'refunded', 'failed')
      and id >= ${lowestUuidAt(since)}
      and id < ${lowestUuidAt(before)}
    group by 1, 2`
}
