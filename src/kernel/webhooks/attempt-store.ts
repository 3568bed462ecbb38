// Records the results of claimed deliveries, many at once. Each is recorded only while its claim
// holds. Statements that change rows are about one tenant each, as a distributed database wants it.
import type { Sql, Tx } from '../db/database.ts'
import { byTenant } from './by-tenant.ts'
import type { Claimed, StoppedAs } from './claim-store.ts'

export type Attempt = {
  readonly number: number
  readonly isManual: boolean
  readonly attemptedAt: Date
  readonly durationMs: number
  readonly statusCode: number | null
  readonly error: string | null
  // The start of the response; null if none came or it is not kept.
  readonly responseText: string | null
  readonly nextRetryAt: Date | null
  readonly deadLettered: boolean
}

// The result of a claimed delivery. Nothing else changes its row in the queue while the claim
// holds.
export type Result = {
  readonly claimed: Claimed
  // Null if nothing was sent, because the endpoint is no longer on.
  readonly attempt: Attempt | null
  // The new value.
  readonly stoppedAs: StoppedAs | null
  // The new row in the queue; null if the delivery leaves the queue.
  readonly queue: {
    readonly runAt: Date | 'infinity'
    readonly scheduledAt: Date | null
    readonly retryAskedAt: Date | null
  } | null
}

type ClaimKey = Pick<Claimed, 'claimId' | 'deliveryId'>

// Returns those whose claims held. The rows are found one by one through the primary key and
// deleted by their physical position (ctid): with old statistics, the server would join the whole
// queue.
export async function deleteFromQueue(tx: Tx, results: readonly Result[]): Promise<ClaimKey[]> {
  const deleted = await Promise.all(
    resultsByTenant(results).map(([tenant, some]) => deleteOfTenant(tx, tenant, some)),
  )
  return deleted.flat()
}

async function deleteOfTenant(
  tx: Tx,
  { shard, businessId, environment }: Claimed,
  results: readonly Result[],
): Promise<ClaimKey[]> {
  return tx<ClaimKey[]>`
    delete from kernel.webhook_queue
    where business_id = ${businessId}
      and ctid = any(array(
      select queue.ctid
      from ${givenClaims(tx, results)}
      cross join lateral (
        select ctid
        from kernel.webhook_queue
        where shard = ${shard}
          and business_id = ${businessId}
          and environment = ${environment}
          and delivery_id = given.delivery_id
          and claim_id = given.claim_id
        limit 1
        for update
      ) as queue
    ))
    returning delivery_id, claim_id`
}

// Returns those whose claims held.
export async function updateInQueue(tx: Tx, results: readonly Result[]): Promise<ClaimKey[]> {
  const updated = await Promise.all(
    resultsByTenant(results).map(([tenant, some]) => updateOfTenant(tx, tenant, some)),
  )
  return updated.flat()
}

async function updateOfTenant(
  tx: Tx,
  { shard, businessId, environment }: Claimed,
  results: readonly Result[],
): Promise<ClaimKey[]> {
  return tx<ClaimKey[]>`
    update kernel.webhook_queue queue
    set claim_id = null,
      leased_until = null,
      run_at = given.run_at,
      scheduled_at = given.scheduled_at,
      retry_asked_at = given.retry_asked_at
    from ${givenClaims(tx, results)}
    where queue.shard = ${shard}
      and queue.business_id = ${businessId}
      and queue.environment = ${environment}
      and queue.delivery_id = given.delivery_id
      and queue.claim_id = given.claim_id
    returning queue.delivery_id, given.claim_id`
}

function givenClaims(tx: Tx, results: readonly Result[]) {
  const rows = results.map(({ claimed, queue }) => ({
    delivery_id: claimed.deliveryId,
    claim_id: claimed.claimId,
    run_at: queue?.runAt,
    scheduled_at: queue?.scheduledAt,
    retry_asked_at: queue?.retryAskedAt,
  }))
  return tx`
    jsonb_to_recordset(${tx.json(rows)})
      as given (delivery_id uuid, claim_id uuid, run_at timestamptz, scheduled_at timestamptz,
        retry_asked_at timestamptz)`
}

function resultsByTenant(results: readonly Result[]): [Claimed, Result[]][] {
  const resultOf = new Map(results.map((result) => [result.claimed, result]))
  return byTenant([...resultOf.keys()]).map(([, claims]) => {
    const some = claims.flatMap((claimed) => resultOf.get(claimed) ?? [])
    return [claims[0] as Claimed, some]
  })
}

export async function insertAttempts(tx: Tx, results: readonly Result[]): Promise<void> {
  const rows = results.flatMap(({ claimed, attempt }) =>
    attempt === null
      ? []
      : [
          {
            ...keyOf(claimed),
            endpoint_id: claimed.endpointId,
            attempt_number: attempt.number,
            is_manual: attempt.isManual,
            attempted_at: attempt.attemptedAt,
            duration_ms: attempt.durationMs,
            status_code: attempt.statusCode,
            error: attempt.error,
            response_text: attempt.responseText,
            next_retry_at: attempt.nextRetryAt,
            dead_lettered: attempt.deadLettered,
          },
        ],
  )
  if (rows.length === 0) return
  await tx`
    insert into kernel.webhook_attempts
      (business_id, environment, delivery_id, endpoint_id, attempt_number, is_manual, attempted_at,
       duration_ms, status_code, error, response_text, succeeded, next_retry_at, dead_lettered)
    select business_id, environment, delivery_id, endpoint_id, attempt_number, is_manual,
      attempted_at, duration_ms, status_code, error, response_text, error is null, next_retry_at,
      dead_lettered
    from jsonb_to_recordset(${tx.json(rows)})
      as given (business_id uuid, environment text, delivery_id uuid, endpoint_id uuid,
        attempt_number integer, is_manual boolean, attempted_at timestamptz, duration_ms integer,
        status_code integer, error text, response_text text, next_retry_at timestamptz,
        dead_lettered boolean)`
}

// Only for deliveries whose value changes.
export async function updateStopped(tx: Tx, results: readonly Result[]): Promise<void> {
  const changed = results.filter(({ claimed, stoppedAs }) => stoppedAs !== claimed.stoppedAs)
  await Promise.all(
    resultsByTenant(changed).map(([{ businessId, environment }, some]) => {
      const rows = some.map(({ claimed, stoppedAs }) => ({
        delivery_id: claimed.deliveryId,
        stopped_as: stoppedAs,
      }))
      return tx`
        update kernel.webhook_deliveries delivery
        set stopped_as = given.stopped_as
        from jsonb_to_recordset(${tx.json(rows)}) as given (delivery_id uuid, stopped_as text)
        where delivery.business_id = ${businessId}
          and delivery.environment = ${environment}
          and delivery.id = given.delivery_id`
    }),
  )
}

// Counts an endpoint's failures in a row, for services that switch endpoints off. `hasSuccess`
// restarts the count with the failures that followed. Returns whether the endpoint is off now.
export async function updateFailuresInRow(
  tx: Tx,
  { businessId, environment, endpointId }: Claimed,
  count: { hasSuccess: boolean; failures: number; max: number; now: Date },
): Promise<boolean> {
  const { hasSuccess, failures, max, now } = count
  const failuresInRow = tx`case when ${hasSuccess} then 0 else failures_in_row end + ${failures}`
  const [row] = await tx<{ state: string }[]>`
    update kernel.webhook_endpoints
    set failures_in_row = ${failuresInRow},
      state = case when ${failuresInRow} >= ${max} then 'off' else state end,
      state_since = case when ${failuresInRow} >= ${max} then ${now} else state_since end
    where business_id = ${businessId}
      and environment = ${environment}
      and id = ${endpointId}
      and state = 'on'
    returning state`
  return row?.state === 'off'
}

// Of all tenants. Returns how many there were.
export async function updateOldResponsesWiped(
  sql: Sql,
  before: Date,
  limit: number,
): Promise<number> {
  const { count } = await sql`
    update kernel.webhook_attempts attempt
    set response_text = null
    from (
      select business_id, environment, delivery_id, attempt_number
      from kernel.webhook_attempts
      where response_text <> ''
        and attempted_at < ${before}
      limit ${limit}
    ) as old
    where attempt.business_id = old.business_id
      and attempt.environment = old.environment
      and attempt.delivery_id = old.delivery_id
      and attempt.attempt_number = old.attempt_number`
  return count
}

function keyOf({ businessId, environment, deliveryId }: Claimed) {
  return { business_id: businessId, environment, delivery_id: deliveryId }
}
