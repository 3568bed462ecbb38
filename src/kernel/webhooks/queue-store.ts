// The queue of deliveries: what is due, and for which endpoints. `run_at` is when a delivery can be
// sent. It is infinity while the delivery is on hold, because its endpoint is off.
import type { Tenant } from '../basics/tenant.ts'
import type { Sql } from '../db/database.ts'

export type DueEndpoint = Tenant & {
  readonly shard: number
  readonly endpointId: string
  // Of the oldest due delivery.
  readonly runAt: Date
}

// The endpoints of deliveries that became due since then: of the newest ones, up to a limit.
export async function listNewlyDueEndpoints(
  sql: Sql,
  { from, now, limit }: { from: Date; now: Date; limit: number },
): Promise<DueEndpoint[]> {
  return sql<DueEndpoint[]>`
    select shard, business_id, environment, endpoint_id, min(run_at) as run_at
    from (
      select shard, business_id, environment, endpoint_id, run_at
      from kernel.webhook_queue
      where run_at >= ${from}
        and run_at <= ${now}
        and ${isFree(sql, now)}
      order by run_at desc
      limit ${limit}
    ) as due
    group by shard, business_id, environment, endpoint_id`
}

// All endpoints with due deliveries. Reads every one of these, since a distributed database answers
// nothing recursive about several businesses.
export async function listDueEndpoints(sql: Sql, now: Date): Promise<DueEndpoint[]> {
  return sql<DueEndpoint[]>`
    select shard, business_id, environment, endpoint_id, min(run_at) as run_at
    from kernel.webhook_queue
    where run_at <= ${now}
      and ${isFree(sql, now)}
    group by shard, business_id, environment, endpoint_id`
}

export type QueueCounts = {
  readonly due: number
  readonly waiting: number
  readonly held: number
}

// Counting reads every counted row, at every scrape. This many take a fraction of a second.
const countedMax = 250_000

// Up to a limit. A delivery that is being sent counts as waiting, not as due.
export async function findWebhookCounts(sql: Sql, now: Date): Promise<QueueCounts> {
  const [row] = await sql<QueueCounts[]>`
    select
      (
        select count(*)::integer
        from (
          select 1
          from kernel.webhook_queue
          where run_at = 'infinity'
          limit ${countedMax}
        ) as held
      ) as held,
      count(*)::integer as waiting,
      (count(*) filter (where run_at <= ${now} and ${isFree(sql, now)}))::integer as due
    from (
      select run_at, leased_until
      from kernel.webhook_queue
      where run_at < 'infinity'
      limit ${countedMax}
    ) as waiting`
  return row ?? { due: 0, waiting: 0, held: 0 }
}

export type OldestDue = {
  readonly scheduled: Date | null
  // Of replays and redrives. Searched among the oldest.
  readonly asked: Date | null
}

// Since when the oldest delivery has been due, even while it is being sent: the age of one that is
// claimed again and again but never ends must grow. Read through the index of times.
export async function findOldestDue(sql: Sql, now: Date): Promise<OldestDue> {
  const [row] = await sql<OldestDue[]>`
    select
      (
        select run_at
        from kernel.webhook_queue
        where run_at <= ${now}
          and scheduled_at is not null
        order by run_at
        limit 1
      ) as scheduled,
      (
        select min(run_at)
        from (
          select run_at, scheduled_at
          from kernel.webhook_queue
          where run_at <= ${now}
          order by run_at
          limit ${countedMax}
        ) as oldest
        where scheduled_at is null
      ) as asked`
  return row ?? { scheduled: null, asked: null }
}

// Not claimed now.
function isFree(sql: Sql, now: Date) {
  return sql`(leased_until is null or leased_until <= ${now})`
}
