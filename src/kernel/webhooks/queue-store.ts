// The queue of deliveries. A claim moves `run_at` to the end of its lease, so that what is taken
// looks like what is not yet due; the claim id is the fence that keeps a worker whose lease has run
// out from recording anything.
import type { JSONValue } from 'postgres'
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
        order by shard, business_id, environment, endpoint_id, run_at
        limit 1
      )
      union all
      select next.*
      from waiting
      cross join lateral (
        select shard, business_id, environment, endpoint_id, run_at
        from kernel.webhook_queue queue
        where (queue.shard, queue.business_id, queue.environment, queue.endpoint_id)
          > (waiting.shard, waiting.business_id, waiting.environment, waiting.endpoint_id)
        order by shard, business_id, environment, endpoint_id, run_at
        limit 1
      ) as next
    )
    select shard, business_id, environment, endpoint_id, run_at
    from waiting
    where run_at <= ${now}`
}

export type ClaimRequest = {
  readonly shard: number
  readonly claimId: string
  readonly leaseUntil: Date
  readonly now: Date
  readonly wanted: readonly (DueEndpoint & { readonly limit: number })[]
}

type Key = Tenant & { readonly shard: number; readonly deliveryId: string }

export type Claim = Key & {
  readonly claimId: string
  readonly endpointId: string
  readonly eventId: string
  readonly scheduledAt: Date | null
  readonly retryAskedAt: Date | null
}

// From the oldest of each endpoint that is known on: what was sent before it lies in the index as
// long as any transaction could still see it.
export async function lockDueDeliveries(sql: Sql, request: ClaimRequest): Promise<Claim[]> {
  const wanted = request.wanted.map(({ businessId, environment, endpointId, runAt, limit }) => ({
    business_id: businessId,
    environment,
    endpoint_id: endpointId,
    from_at: runAt.toISOString(),
    count: limit,
  }))
  return sql<Claim[]>`
    with due as (
      select queue.business_id, queue.environment, queue.delivery_id
      from jsonb_to_recordset(${sql.json(wanted)})
        as wanted (business_id uuid, environment text, endpoint_id uuid, from_at timestamptz,
          count integer)
      cross join lateral (
        select business_id, environment, delivery_id
        from kernel.webhook_queue
        where shard = ${request.shard}
          and business_id = wanted.business_id
          and environment = wanted.environment
          and endpoint_id = wanted.endpoint_id
          and run_at >= wanted.from_at
          and run_at <= ${request.now}
        order by run_at
        limit wanted.count
        for update skip locked
      ) as queue
    )
    update kernel.webhook_queue queue
    set claim_id = ${request.claimId},
      run_at = ${request.leaseUntil}
    from due
    where queue.shard = ${request.shard}
      and queue.business_id = due.business_id
      and queue.environment = due.environment
      and queue.delivery_id = due.delivery_id
    returning queue.shard, queue.business_id, queue.environment, queue.delivery_id,
      queue.claim_id, queue.endpoint_id, queue.event_id, queue.scheduled_at, queue.retry_asked_at`
}

export type Claimed = Claim & {
  readonly service: string
  readonly url: string
  readonly secretSealed: Buffer
  readonly oldSecretSealed: Buffer | null
  readonly oldSecretUntil: Date | null
  readonly endpointState: 'on' | 'off' | 'deleted'
  readonly deliveryState: 'open' | 'held' | 'delivered' | 'dead_lettered' | 'ended'
  readonly eventType: string
  readonly eventCreatedAt: Date
  readonly data: string
  readonly attempts: number
  readonly scheduledAttempts: number
}

// After the claim and not with it: what another worker has logged last must be seen.
export async function listClaimed(sql: Sql, claims: readonly Claim[]): Promise<Claimed[]> {
  const given = claims.map((claim) => ({ ...keyOf(claim), endpoint_id: claim.endpointId }))
  const rows = await sql<(Omit<Claimed, keyof Claim> & { deliveryId: string })[]>`
    select delivery.id as delivery_id, endpoint.service, endpoint.url, endpoint.secret_sealed,
      endpoint.old_secret_sealed, endpoint.old_secret_until,
      endpoint.state as endpoint_state, delivery.state as delivery_state, event.type as event_type,
      event.created_at as event_created_at, event.data::text as data, log.attempts,
      log.scheduled_attempts
    from jsonb_to_recordset(${sql.json(given as unknown as JSONValue)})
      as given (business_id uuid, environment text, delivery_id uuid)
    join kernel.webhook_deliveries delivery
      on delivery.business_id = given.business_id
      and delivery.environment = given.environment
      and delivery.id = given.delivery_id
    join kernel.webhook_endpoints endpoint
      on endpoint.business_id = delivery.business_id
      and endpoint.environment = delivery.environment
      and endpoint.id = delivery.endpoint_id
    join kernel.events event
      on event.business_id = delivery.business_id
      and event.environment = delivery.environment
      and event.id = delivery.event_id
    cross join lateral (
      select count(*)::integer as attempts,
        (count(*) filter (where not is_manual))::integer as scheduled_attempts
      from kernel.webhook_attempts attempt
      where attempt.business_id = delivery.business_id
        and attempt.environment = delivery.environment
        and attempt.delivery_id = delivery.id
    ) as log`
  const byId = new Map(rows.map((row) => [row.deliveryId, row]))
  return claims.flatMap((claim) => {
    const row = byId.get(claim.deliveryId)
    return row ? [{ ...claim, ...row }] : []
  })
}

export type QueueHealth = {
  readonly due: number
  readonly waiting: number
  readonly oldest: Date | null
}

// What is being sent counts as waiting and not as due.
export async function findWebhookQueueHealth(sql: Sql, now: Date): Promise<QueueHealth> {
  const [row] = await sql<QueueHealth[]>`
    select count(*)::integer as waiting,
      (count(*) filter (where run_at <= ${now}))::integer as due,
      min(least(scheduled_at, retry_asked_at)) filter (where run_at <= ${now}) as oldest
    from kernel.webhook_queue`
  return row ?? { due: 0, waiting: 0, oldest: null }
}

function keyOf({ businessId, environment, deliveryId }: Key) {
  return { business_id: businessId, environment, delivery_id: deliveryId }
}
