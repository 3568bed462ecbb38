// Claims on deliveries. A claim is a lease and an id. A worker whose lease has expired can't record
// anything, because the next claim has another id. Neither is in an index, so a claim is cheap.
import type { Tenant } from '../basics/tenant.ts'
import type { Sql, Tx } from '../db/database.ts'
import { byTenant, type TenantInShard } from './by-tenant.ts'
import type { DueEndpoint } from './queue-store.ts'

export type Lease = {
  readonly claimId: string
  readonly leaseUntil: Date
  readonly now: Date
}

// An endpoint, and how many of its deliveries to claim.
export type Wanted = DueEndpoint & { readonly limit: number }

export type Claim = Tenant & {
  readonly shard: number
  readonly deliveryId: string
  readonly claimId: string
  readonly endpointId: string
  readonly eventId: string
  // When the schedule planned it; null for an attempt made only on request.
  readonly scheduledAt: Date | null
  // When it was requested; null for an attempt of the schedule.
  readonly retryAskedAt: Date | null
}

// One statement per tenant, since a distributed database locks rows of one business only. They
// don't wait for each other.
export async function lockDueDeliveries(
  tx: Tx,
  lease: Lease,
  wanted: readonly Wanted[],
): Promise<Claim[]> {
  const [, ...claims] = await Promise.all([
    forbidSorting(tx),
    ...byTenant(wanted).map(([tenant, some]) => lockDueOfTenant(tx, tenant, lease, some)),
  ])
  return claims.flat()
}

// Until the transaction ends, the server reads rows in index order. Its statistics of the queue are
// always old, and with them it may read and sort a whole backlog to take eight deliveries of it.
async function forbidSorting(tx: Tx): Promise<void> {
  await tx`
    select set_config('enable_sort', 'off', true),
      set_config('enable_incremental_sort', 'off', true),
      set_config('enable_bitmapscan', 'off', true)`
}

// Scheduled deliveries come first, then replays and redrives, so that a long replay does not delay
// new events. Reading starts at the oldest known due delivery, because index entries of earlier
// ones stay as long as any transaction could still see them. Endpoint and time are compared
// together, and locked rows are updated by their physical position (ctid), because with old
// statistics the server would choose another index, or a join over the whole queue.
async function lockDueOfTenant(
  tx: Tx,
  { shard, businessId, environment }: TenantInShard,
  { claimId, leaseUntil, now }: Lease,
  wanted: readonly Wanted[],
): Promise<Claim[]> {
  const given = wanted.map(({ endpointId, runAt, limit }) => ({
    endpoint_id: endpointId,
    from_at: runAt.toISOString(),
    count: limit,
  }))
  const isFreeAndWanted = tx`
    shard = ${shard}
      and business_id = ${businessId}
      and environment = ${environment}
      and (leased_until is null or leased_until <= ${now})`
  return tx<Claim[]>`
    with due as (
      select queue.ctid
      from jsonb_to_recordset(${tx.json(given)})
        as wanted (endpoint_id uuid, from_at timestamptz, count integer)
      cross join lateral (
        select ctid
        from (
          select ctid
          from kernel.webhook_queue
          where ${isFreeAndWanted}
            and (endpoint_id, scheduled_at) >= (wanted.endpoint_id, wanted.from_at)
            and (endpoint_id, scheduled_at) <= (wanted.endpoint_id, ${now}::timestamptz)
            and scheduled_at is not null
            and run_at <= ${now}
          order by endpoint_id, scheduled_at
          limit wanted.count
          for update skip locked
        ) as scheduled
        union all
        select ctid
        from (
          select ctid
          from kernel.webhook_queue
          where ${isFreeAndWanted}
            and (endpoint_id, run_at) >= (wanted.endpoint_id, wanted.from_at)
            and (endpoint_id, run_at) <= (wanted.endpoint_id, ${now}::timestamptz)
            and (scheduled_at between wanted.from_at and ${now}) is not true
          order by endpoint_id, run_at
          limit wanted.count
          for update skip locked
        ) as others
        limit wanted.count
      ) as queue
    )
    update kernel.webhook_queue queue
    set claim_id = ${claimId},
      leased_until = ${leaseUntil}
    where queue.business_id = ${businessId}
      and queue.ctid = any(array(select ctid from due))
    returning ${claimColumns(tx)}`
}

// Claims one delivery for an attempt made on request. Undefined while another claim holds. If the
// process dies, a worker makes the attempt when the lease has expired.
export async function lockDeliveryForRetry(
  tx: Tx,
  { shard, claimId, leaseUntil, now }: Lease & { readonly shard: number },
  delivery: Tenant & { readonly id: string; readonly endpointId: string; readonly eventId: string },
): Promise<Claim | undefined> {
  const { businessId, environment, id, endpointId, eventId } = delivery
  const [row] = await tx<Claim[]>`
    insert into kernel.webhook_queue as queue
      (shard, business_id, environment, delivery_id, endpoint_id, event_id, run_at, retry_asked_at,
       claim_id, leased_until)
    values
      (${shard}, ${businessId}, ${environment}, ${id}, ${endpointId}, ${eventId}, ${now}, ${now},
       ${claimId}, ${leaseUntil})
    on conflict (shard, business_id, environment, delivery_id)
      do update
      set retry_asked_at = excluded.retry_asked_at,
        claim_id = excluded.claim_id,
        leased_until = excluded.leased_until,
        run_at = least(queue.run_at, excluded.run_at)
      where queue.leased_until is null
        or queue.leased_until <= ${now}
    returning ${claimColumns(tx)}`
  return row
}

function claimColumns(tx: Tx) {
  return tx`queue.shard, queue.business_id, queue.environment, queue.delivery_id, queue.claim_id,
    queue.endpoint_id, queue.event_id, queue.scheduled_at, queue.retry_asked_at`
}

// Why an undelivered delivery is not in the queue: it became a dead letter after its last attempt,
// or ended with its endpoint.
export type StoppedAs = 'dead_lettered' | 'ended'

// A claimed delivery with everything that an attempt needs.
export type Claimed = Claim & {
  readonly eventType: string
  readonly eventCreatedAt: Date
  readonly data: string
  readonly service: string
  readonly url: string
  readonly secretSealed: Buffer
  readonly oldSecretSealed: Buffer | null
  readonly oldSecretUntil: Date | null
  readonly endpointState: 'on' | 'off' | 'deleted'
  readonly stoppedAs: StoppedAs | null
  readonly attempts: number
  readonly scheduledAttempts: number
}

// Read after the claim, not with it. Otherwise an attempt that another worker has just logged would
// not be counted, and its number would be used again. A delivery without event or endpoint, which
// the invariants report, is left out.
export async function listClaimed(sql: Sql, claims: readonly Claim[]): Promise<Claimed[]> {
  const tenants = byTenant(claims)
  const listAll = async (on: Sql | Tx) =>
    await Promise.all(tenants.map(([tenant, some]) => listClaimedOfTenant(on, tenant, some)))
  // On one connection: those of many tenants would take all of the pool.
  const claimed = tenants.length > 1 ? await sql.begin(listAll) : await listAll(sql)
  return claimed.flat()
}

async function listClaimedOfTenant(
  sql: Sql | Tx,
  { businessId, environment }: Tenant,
  claims: readonly Claim[],
): Promise<Claimed[]> {
  const rows = await sql<(Omit<Claimed, keyof Claim> & { deliveryId: string })[]>`
    select delivery.id as delivery_id, delivery.stopped_as, log.attempts, log.scheduled_attempts,
      event.type as event_type, event.created_at as event_created_at, event.data::text as data,
      endpoint.service, endpoint.url, endpoint.secret_sealed, endpoint.old_secret_sealed,
      endpoint.old_secret_until, endpoint.state as endpoint_state
    from kernel.webhook_deliveries delivery
    join kernel.events event
      on event.business_id = delivery.business_id
      and event.environment = delivery.environment
      and event.id = delivery.event_id
    join kernel.webhook_endpoints endpoint
      on endpoint.business_id = delivery.business_id
      and endpoint.environment = delivery.environment
      and endpoint.id = delivery.endpoint_id
    cross join lateral (
      select count(*)::integer as attempts,
        (count(*) filter (where not is_manual))::integer as scheduled_attempts
      from kernel.webhook_attempts attempt
      where attempt.business_id = ${businessId}
        and attempt.environment = ${environment}
        and attempt.delivery_id = delivery.id
    ) as log
    where delivery.business_id = ${businessId}
      and delivery.environment = ${environment}
      and delivery.id = any(${claims.map(({ deliveryId }) => deliveryId)}::uuid[])`
  const claimById = new Map(claims.map((claim) => [claim.deliveryId, claim]))
  return rows.flatMap((row) => {
    const claim = claimById.get(row.deliveryId)
    return claim ? [{ ...claim, ...row }] : []
  })
}
