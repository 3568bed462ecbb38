// Taking deliveries out of the queue for an attempt. A claim is a lease and an id: the id is the
// fence that keeps a worker whose lease has run out from recording anything. Neither is in an
// index, so that taking a delivery costs little; what was taken and not ended is found by the
// sweep.
import type { Tenant } from '../basics/tenant.ts'
import type { Tx } from '../db/database.ts'
import type { DueEndpoint } from './queue-store.ts'

export type ClaimRequest = {
  readonly claimId: string
  readonly leaseUntil: Date
  readonly now: Date
}

type ShardRequest = ClaimRequest & { readonly shard: number }

export type Wanted = DueEndpoint & { readonly limit: number }

type Key = Tenant & { readonly shard: number; readonly deliveryId: string }

// A delivery that is somebody's to send, with what it says.
export type Claim = Key & {
  readonly claimId: string
  readonly endpointId: string
  readonly eventId: string
  readonly scheduledAt: Date | null
  readonly retryAskedAt: Date | null
  readonly isTried: boolean
  readonly eventType: string
  readonly eventCreatedAt: Date
  readonly data: string
}

// One statement for each shard, and none waits for the answer of the one before.
export async function lockDueDeliveries(
  tx: Tx,
  request: ClaimRequest,
  wanted: readonly Wanted[],
): Promise<Claim[]> {
  const shards = [...Map.groupBy(wanted, ({ shard }) => shard)]
  const [, ...claims] = await Promise.all([
    forbidSorting(tx),
    ...shards.map(([shard, some]) => lockDueInShard(tx, { ...request, shard }, some)),
  ])
  return claims.flat()
}

// For the rest of the transaction the server takes rows in the order of an index, and neither sorts
// nor gathers all in order to: what it knows of the queue is always old, and it would do so with a
// whole backlog for every few that are taken.
async function forbidSorting(tx: Tx): Promise<void> {
  await tx`
    select set_config('enable_sort', 'off', true),
      set_config('enable_incremental_sort', 'off', true),
      set_config('enable_bitmapscan', 'off', true)`
}

// What the schedule wants comes first, then what else is due, which somebody asked for: a long
// replay does not keep what happens now waiting. From the oldest of each endpoint that is known on:
// what was sent before it lies in the index as long as any transaction could still see it. Endpoint
// and time are compared together so that no other index has the order, and what was locked is
// updated at its place in the table: by its key it was joined with all that the shard had, when the
// server thought that to be little.
async function lockDueInShard(
  tx: Tx,
  request: ShardRequest,
  wanted: readonly Wanted[],
): Promise<Claim[]> {
  const given = wanted.map(({ businessId, environment, endpointId, runAt, limit }) => ({
    business_id: businessId,
    environment,
    endpoint_id: endpointId,
    from_at: runAt.toISOString(),
    count: limit,
  }))
  return tx<Claim[]>`
    with due as (
      select queue.ctid
      from jsonb_to_recordset(${tx.json(given)})
        as wanted (business_id uuid, environment text, endpoint_id uuid, from_at timestamptz,
          count integer)
      cross join lateral (
        select ctid
        from (
          select ctid
          from kernel.webhook_queue
          where ${isFreeOfWanted(tx, request)}
            and (endpoint_id, scheduled_at) >= (wanted.endpoint_id, wanted.from_at)
            and (endpoint_id, scheduled_at) <= (wanted.endpoint_id, ${request.now}::timestamptz)
            and scheduled_at is not null
          order by endpoint_id, scheduled_at
          limit wanted.count
          for update skip locked
        ) as planned
        union all
        select ctid
        from (
          select ctid
          from kernel.webhook_queue
          where ${isFreeOfWanted(tx, request)}
            and (endpoint_id, run_at) >= (wanted.endpoint_id, wanted.from_at)
            and (endpoint_id, run_at) <= (wanted.endpoint_id, ${request.now}::timestamptz)
            and (scheduled_at between wanted.from_at and ${request.now}) is not true
          order by endpoint_id, run_at
          limit wanted.count
          for update skip locked
        ) as others
        limit wanted.count
      ) as queue
    ), queue as (
      update kernel.webhook_queue queue
      set claim_id = ${request.claimId},
        leased_until = ${request.leaseUntil}
      where queue.ctid = any(array(select ctid from due))
      returning queue.*
    )
    ${claimColumns(tx)}`
}

// Of the tenant that `wanted` names, and nobody's at this moment.
function isFreeOfWanted(tx: Tx, { shard, now }: ShardRequest) {
  return tx`
    shard = ${shard}
      and business_id = wanted.business_id
      and environment = wanted.environment
      and (leased_until is null or leased_until <= ${now})`
}

// Takes one for an attempt that was asked for, beside whatever the schedule wants. Undefined while
// somebody else has it. Should whoever took it die, a worker makes the attempt when the lease has
// run out.
export async function lockDeliveryForRetry(
  tx: Tx,
  { shard, claimId, leaseUntil, now }: ShardRequest,
  { businessId, environment, id, endpointId, eventId }: Retried,
): Promise<Claim | undefined> {
  const [row] = await tx<Claim[]>`
    with queue as (
      insert into kernel.webhook_queue as queue
        (shard, business_id, environment, delivery_id, endpoint_id, event_id, run_at,
         retry_asked_at, claim_id, leased_until, is_tried)
      values
        (${shard}, ${businessId}, ${environment}, ${id}, ${endpointId}, ${eventId}, ${now}, ${now},
         ${claimId}, ${leaseUntil}, true)
      on conflict (shard, business_id, environment, delivery_id)
        do update
        set retry_asked_at = excluded.retry_asked_at,
          claim_id = excluded.claim_id,
          leased_until = excluded.leased_until,
          run_at = least(queue.run_at, excluded.run_at)
        where queue.leased_until is null
          or queue.leased_until <= ${now}
      returning queue.*
    )
    ${claimColumns(tx)}`
  return row
}

type Retried = Tenant & {
  readonly id: string
  readonly endpointId: string
  readonly eventId: string
}

function claimColumns(tx: Tx) {
  return tx`
    select queue.shard, queue.business_id, queue.environment, queue.delivery_id, queue.claim_id,
      queue.endpoint_id, queue.event_id, queue.scheduled_at, queue.retry_asked_at, queue.is_tried,
      event.type as event_type, event.created_at as event_created_at, event.data::text as data
    from queue
    join kernel.events event
      on event.business_id = queue.business_id
      and event.environment = queue.environment
      and event.id = queue.event_id`
}
