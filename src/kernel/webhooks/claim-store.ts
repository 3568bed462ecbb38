// Taking deliveries out of the queue for an attempt. A claim is a lease and an id: the id is the
// fence that keeps a worker whose lease has run out from recording anything. Neither is in an
// index, so that taking a delivery costs little; what was taken and not ended is found by the
// sweep.
import type { Tenant } from '../basics/tenant.ts'
import type { Sql, Tx } from '../db/database.ts'
import type { DueEndpoint } from './queue-store.ts'

export type ClaimRequest = {
  readonly shard: number
  readonly claimId: string
  readonly leaseUntil: Date
  readonly now: Date
  readonly wanted: readonly (DueEndpoint & { readonly limit: number })[]
}

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

// From the oldest of each endpoint that is known on: what was sent before it lies in the index as
// long as any transaction could still see it. Endpoint and time are compared together so that no
// other index has the order, and what was locked is updated at its place in the table: by its key
// it was joined with all that the shard had, when the server thought that to be little.
export async function lockDueDeliveries(tx: Tx, request: ClaimRequest): Promise<Claim[]> {
  const wanted = request.wanted.map(({ businessId, environment, endpointId, runAt, limit }) => ({
    business_id: businessId,
    environment,
    endpoint_id: endpointId,
    from_at: runAt.toISOString(),
    count: limit,
  }))
  return tx<Claim[]>`
    with due as (
      select queue.ctid
      from jsonb_to_recordset(${tx.json(wanted)})
        as wanted (business_id uuid, environment text, endpoint_id uuid, from_at timestamptz,
          count integer)
      cross join lateral (
        select ctid
        from kernel.webhook_queue
        where shard = ${request.shard}
          and business_id = wanted.business_id
          and environment = wanted.environment
          and (endpoint_id, run_at) >= (wanted.endpoint_id, wanted.from_at)
          and (endpoint_id, run_at) <= (wanted.endpoint_id, ${request.now}::timestamptz)
          and (leased_until is null or leased_until <= ${request.now})
        order by endpoint_id, run_at
        limit wanted.count
        for update skip locked
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

// Takes one for an attempt that was asked for, beside whatever the schedule wants. Undefined while
// somebody else has it. Should whoever took it die, a worker makes the attempt when the lease has
// run out.
export async function lockDeliveryForRetry(
  tx: Tx,
  { shard, claimId, leaseUntil, now }: Omit<ClaimRequest, 'wanted'>,
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

// What has neither arrived nor is on its way: held until its endpoint is on again, dead-lettered
// after its last attempt, or ended with its endpoint.
export type StoppedAs = 'held' | 'dead_lettered' | 'ended'

// Whom a delivery is for.
export type Addressee = {
  readonly service: string
  readonly url: string
  readonly secretSealed: Buffer
  readonly oldSecretSealed: Buffer | null
  readonly oldSecretUntil: Date | null
  readonly state: 'on' | 'off' | 'deleted'
}

type Past = {
  readonly stoppedAs: StoppedAs | null
  readonly attempts: number
  readonly scheduledAttempts: number
}

export type Claimed = Claim & Past & { readonly addressee: Addressee }

const untried: Past = { stoppedAs: null, attempts: 0, scheduledAttempts: 0 }

// With whom they are for and what came of them before. After the claims and not with them: what
// another worker has logged last must be seen, and each endpoint need be read only once.
export async function listClaimed(sql: Sql, claims: readonly Claim[]): Promise<Claimed[]> {
  const [addressees, pasts] = await Promise.all([
    findAddressees(sql, claims),
    findPasts(
      sql,
      claims.filter(({ isTried }) => isTried),
    ),
  ])
  return claims.flatMap((claim) => {
    const addressee = addressees.get(claim.endpointId)
    // One for nobody, of which the invariants tell, must not hold up the others.
    if (!addressee) return []
    return [{ ...claim, ...(pasts.get(claim.deliveryId) ?? untried), addressee }]
  })
}

async function findAddressees(sql: Sql, claims: readonly Claim[]): Promise<Map<string, Addressee>> {
  const endpoints = new Map(claims.map((claim) => [claim.endpointId, claim]))
  const rows = await sql<(Addressee & { endpointId: string })[]>`
    select endpoint.id as endpoint_id, endpoint.service, endpoint.url, endpoint.secret_sealed,
      endpoint.old_secret_sealed, endpoint.old_secret_until, endpoint.state
    from jsonb_to_recordset(${sql.json([...endpoints.values()].map(keyOf))})
      as given (business_id uuid, environment text, endpoint_id uuid)
    join kernel.webhook_endpoints endpoint
      on endpoint.business_id = given.business_id
      and endpoint.environment = given.environment
      and endpoint.id = given.endpoint_id`
  return new Map(rows.map((row) => [row.endpointId, row]))
}

// Most were never tried, and nothing is asked about those.
async function findPasts(sql: Sql, claims: readonly Claim[]): Promise<Map<string, Past>> {
  if (claims.length === 0) return new Map()
  const rows = await sql<(Past & { deliveryId: string })[]>`
    select delivery.id as delivery_id, delivery.stopped_as, log.attempts, log.scheduled_attempts
    from jsonb_to_recordset(${sql.json(claims.map(keyOf))})
      as given (business_id uuid, environment text, delivery_id uuid)
    join kernel.webhook_deliveries delivery
      on delivery.business_id = given.business_id
      and delivery.environment = given.environment
      and delivery.id = given.delivery_id
    cross join lateral (
      select count(*)::integer as attempts,
        (count(*) filter (where not is_manual))::integer as scheduled_attempts
      from kernel.webhook_attempts attempt
      where attempt.business_id = delivery.business_id
        and attempt.environment = delivery.environment
        and attempt.delivery_id = delivery.id
    ) as log`
  return new Map(rows.map((row) => [row.deliveryId, row]))
}

function keyOf({ businessId, environment, endpointId, deliveryId }: Claim) {
  return {
    business_id: businessId,
    environment,
    endpoint_id: endpointId,
    delivery_id: deliveryId,
  }
}
