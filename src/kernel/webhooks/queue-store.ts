// The queue of deliveries: what is due in it, and for whom.
import type { Tenant } from '../basics/tenant.ts'
import type { Sql } from '../db/database.ts'

export type DueEndpoint = Tenant & {
  readonly shard: number
  readonly endpointId: string
  readonly runAt: Date
}

// Of what has become due since then, the newest and at most so much, the endpoints, each with its
// oldest and how much of it was read. Costs by what has become due, however much waits for later.
export async function listNewlyDueEndpoints(
  sql: Sql,
  { from, now, limit }: { from: Date; now: Date; limit: number },
): Promise<(DueEndpoint & { readonly count: number })[]> {
  return sql<(DueEndpoint & { count: number })[]>`
    select shard, business_id, environment, endpoint_id, min(run_at) as run_at,
      count(*)::integer as count
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

// All endpoints that have something due, each once, with the oldest of it. Skips from endpoint to
// endpoint through the index, so that the backlog of one costs no more than a single delivery; but
// every endpoint is visited that has anything in the queue, due or not.
export async function listDueEndpoints(sql: Sql, now: Date): Promise<DueEndpoint[]> {
  return sql<DueEndpoint[]>`
    with recursive waiting as (
      (
        select shard, business_id, environment, endpoint_id, run_at
        from kernel.webhook_queue
        where ${isFree(sql, now)}
        order by endpoint_id, run_at
        limit 1
      )
      union all
      select next.*
      from waiting
      cross join lateral (
        select shard, business_id, environment, endpoint_id, run_at
        from kernel.webhook_queue queue
        where queue.endpoint_id > waiting.endpoint_id
          and ${isFree(sql, now)}
        order by endpoint_id, run_at
        limit 1
      ) as next
    )
    select shard, business_id, environment, endpoint_id, run_at
    from waiting
    where run_at <= ${now}`
}

// Those of the given endpoints for which anything waits.
export async function listQueuedEndpoints(
  sql: Sql,
  endpoints: readonly (Tenant & { readonly shard: number; readonly id: string })[],
): Promise<(Tenant & { readonly id: string })[]> {
  const given = endpoints.map(({ shard, businessId, environment, id }) => ({
    shard,
    business_id: businessId,
    environment,
    id,
  }))
  return sql<(Tenant & { id: string })[]>`
    select business_id, environment, id
    from jsonb_to_recordset(${sql.json(given)})
      as given (shard integer, business_id uuid, environment text, id uuid)
    where exists (
      select 1
      from kernel.webhook_queue queue
      where queue.shard = given.shard
        and queue.business_id = given.business_id
        and queue.environment = given.environment
        and queue.endpoint_id = given.id
    )`
}

export type QueueCounts = {
  readonly due: number
  readonly waiting: number
  // Until an endpoint is switched on.
  readonly parked: number
}

// Counting reads all that it counts, whenever an operator looks: this takes a fraction of a second.
const countedMax = 250_000

// Up to a number. What is being sent counts as waiting and not as due.
export async function findWebhookCounts(sql: Sql, now: Date): Promise<QueueCounts> {
  const [row] = await sql<QueueCounts[]>`
    select (count(*) filter (where run_at < 'infinity'))::integer as waiting,
      (count(*) filter (where run_at = 'infinity'))::integer as parked,
      (count(*) filter (where run_at <= ${now} and ${isFree(sql, now)}))::integer as due
    from (
      select run_at, leased_until
      from kernel.webhook_queue
      limit ${countedMax}
    ) as queue`
  return row ?? { due: 0, waiting: 0, parked: 0 }
}

export type OldestDue = {
  readonly planned: Date | null
  // Of what is closed and was asked for once more, as by a replay; looked for among the oldest.
  readonly asked: Date | null
}

// Since when the oldest has been due, whoever has taken it: what is taken again and again and never
// ends must grow old, and what is being sent is young. Read through the index of times.
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
      ) as planned,
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
  return row ?? { planned: null, asked: null }
}

// Nobody's at this moment.
function isFree(sql: Sql, now: Date) {
  return sql`(leased_until is null or leased_until <= ${now})`
}
