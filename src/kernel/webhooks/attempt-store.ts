// What came of claimed deliveries is recorded for many at once, in one transaction of a few
// statements. The first two take the fence down; whatever lost its claim is left alone by the rest.
import type { JSONValue } from 'postgres'
import type { Tx } from '../db/database.ts'
import type { Claimed } from './queue-store.ts'

export type Attempt = {
  readonly number: number
  readonly isManual: boolean
  readonly attemptedAt: Date
  readonly durationMs: number
  readonly statusCode: number | null
  readonly error: string | null
  readonly nextRetryAt: Date | null
  readonly deadLettered: boolean
}

export type Recorded = {
  readonly claimed: Claimed
  // Null when nothing was sent, since the endpoint is not on any more.
  readonly attempt: Attempt | null
  // The state that the delivery is in from now on; null when that is the one that it had.
  readonly state: 'held' | 'delivered' | 'dead_lettered' | 'ended' | null
  // When the schedule wants the next attempt.
  readonly scheduledAt: Date | null
  readonly endedAt: Date
}

// The deliveries whose claim still held. Those that are done leave the queue, unless somebody has
// asked for a retry meanwhile. A retry that fails leaves the plan to whoever made it, also one that
// was made while it was under way, as when what was held for its endpoint goes on.
export async function updateQueue(tx: Tx, outcomes: readonly Recorded[]): Promise<Set<string>> {
  const given = tx.json(
    outcomes.map(({ claimed, attempt, scheduledAt }) => ({
      ...keyOf(claimed),
      shard: claimed.shard,
      claim_id: claimed.claimId,
      asked_at: claimed.retryAskedAt,
      next_at: scheduledAt,
      is_planless: attempt?.isManual === true && attempt.error !== null,
    })) as unknown as JSONValue,
  )
  const done = await tx<{ deliveryId: string }[]>`
    delete from kernel.webhook_queue queue
    using jsonb_to_recordset(${given}) as given (shard integer, business_id uuid,
      environment text, delivery_id uuid, claim_id uuid, asked_at timestamptz,
      next_at timestamptz, is_planless boolean)
    where queue.shard = given.shard
      and queue.business_id = given.business_id
      and queue.environment = given.environment
      and queue.delivery_id = given.delivery_id
      and queue.claim_id = given.claim_id
      and queue.retry_asked_at is not distinct from given.asked_at
      and given.next_at is null
      and not (given.is_planless and queue.scheduled_at is not null)
    returning queue.delivery_id`
  if (done.length === outcomes.length) return new Set(done.map(({ deliveryId }) => deliveryId))
  const kept = await tx<{ deliveryId: string }[]>`
    update kernel.webhook_queue queue
    set claim_id = null,
      scheduled_at = case when given.is_planless then queue.scheduled_at else given.next_at end,
      retry_asked_at = nullif(queue.retry_asked_at, given.asked_at),
      run_at = coalesce(nullif(queue.retry_asked_at, given.asked_at),
        case when given.is_planless then queue.scheduled_at else given.next_at end)
    from jsonb_to_recordset(${given}) as given (shard integer, business_id uuid,
      environment text, delivery_id uuid, claim_id uuid, asked_at timestamptz,
      next_at timestamptz, is_planless boolean)
    where queue.shard = given.shard
      and queue.business_id = given.business_id
      and queue.environment = given.environment
      and queue.delivery_id = given.delivery_id
      and queue.claim_id = given.claim_id
    returning queue.delivery_id`
  return new Set([...done, ...kept].map(({ deliveryId }) => deliveryId))
}

export async function insertAttempts(tx: Tx, outcomes: readonly Recorded[]): Promise<void> {
  const rows = outcomes.flatMap(({ claimed, attempt }) =>
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
            next_retry_at: attempt.nextRetryAt,
            dead_lettered: attempt.deadLettered,
          },
        ],
  )
  if (rows.length === 0) return
  await tx`
    insert into kernel.webhook_attempts
      (business_id, environment, delivery_id, endpoint_id, attempt_number, is_manual, attempted_at,
       duration_ms, status_code, error, succeeded, next_retry_at, dead_lettered)
    select business_id, environment, delivery_id, endpoint_id, attempt_number, is_manual,
      attempted_at, duration_ms, status_code, error, error is null, next_retry_at, dead_lettered
    from jsonb_to_recordset(${tx.json(rows as unknown as JSONValue)}) as given (business_id uuid,
      environment text, delivery_id uuid, endpoint_id uuid, attempt_number integer,
      is_manual boolean, attempted_at timestamptz, duration_ms integer, status_code integer,
      error text, next_retry_at timestamptz, dead_lettered boolean)`
}

export async function updateDeliveries(tx: Tx, outcomes: readonly Recorded[]): Promise<void> {
  const rows = outcomes.flatMap(({ claimed, state, endedAt }) =>
    state === null
      ? []
      : [{ ...keyOf(claimed), state, ended_at: state === 'held' ? null : endedAt }],
  )
  if (rows.length === 0) return
  await tx`
    update kernel.webhook_deliveries delivery
    set state = given.state,
      ended_at = given.ended_at
    from jsonb_to_recordset(${tx.json(rows as unknown as JSONValue)}) as given (business_id uuid,
      environment text, delivery_id uuid, state text, ended_at timestamptz)
    where delivery.business_id = given.business_id
      and delivery.environment = given.environment
      and delivery.id = given.delivery_id`
}

// How one endpoint has fared, where endpoints are switched off. A success among the outcomes means
// that the row of failures was broken; it begins anew with those that follow. Answers whether this
// switched the endpoint off.
export async function updateFailuresInRow(
  tx: Tx,
  { businessId, environment, endpointId }: Claimed,
  outcome: { isBroken: boolean; failures: number; max: number; now: Date },
): Promise<boolean> {
  const { isBroken, failures, max, now } = outcome
  const [row] = await tx<{ state: string }[]>`
    update kernel.webhook_endpoints
    set failures_in_row = case when ${isBroken} then 0 else failures_in_row end + ${failures},
      state = case
        when case when ${isBroken} then 0 else failures_in_row end + ${failures} >= ${max}
        then 'off'
        else state
      end,
      state_since = case
        when case when ${isBroken} then 0 else failures_in_row end + ${failures} >= ${max}
        then ${now}
        else state_since
      end
    where business_id = ${businessId}
      and environment = ${environment}
      and id = ${endpointId}
      and state = 'on'
    returning state`
  return row?.state === 'off'
}

function keyOf({ businessId, environment, deliveryId }: Claimed) {
  return { business_id: businessId, environment, delivery_id: deliveryId }
}
