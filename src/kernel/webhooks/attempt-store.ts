// What came of claimed deliveries is recorded for many at once. A statement that records takes the
// fence down with it; whatever had lost its claim is left alone.
import { assert } from '../basics/assert.ts'
import type { Sql, Tx } from '../db/database.ts'
import type { Claimed, StoppedAs } from './claimed-store.ts'

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
  // From now on.
  readonly stoppedAs: StoppedAs | null
  // When the schedule wants the next attempt.
  readonly scheduledAt: Date | null
  // It was asked for, and waits in the queue until its endpoint is switched on.
  readonly isParked: boolean
}

// A claim that held. With its own id: a delivery that was claimed again after its lease can be
// recorded twice at the same moment.
export type HeldClaim = Pick<Claimed, 'claimId' | 'deliveryId'>

// Ends what is done, that is, for which no further attempt is planned: it leaves the queue, and the
// attempt is logged. Answers the claims; the others were lost, or somebody has asked for a retry
// meanwhile, or they are to be tried again. One by one through the primary key, and deleted in
// their places: as a join it was planned by what is known of the queue's size, which is old
// whenever it matters.
export async function insertLastAttempts(
  sql: Sql | Tx,
  outcomes: readonly Recorded[],
): Promise<HeldClaim[]> {
  return sql<HeldClaim[]>`
    with given as (
      ${givenOutcomes(sql, outcomes)}
    ), held as (
      delete from kernel.webhook_queue
      where ctid = any(array(
        select queue.ctid
        from given
        cross join lateral (
          select ctid
          from kernel.webhook_queue
          where shard = given.shard
            and business_id = given.business_id
            and environment = given.environment
            and delivery_id = given.delivery_id
            and claim_id = given.claim_id
            and retry_asked_at is not distinct from given.asked_at
            and given.next_at is null
            and not given.is_parked
            and not (given.is_planless and scheduled_at is not null)
          limit 1
          for update
        ) as queue
      ))
      returning delivery_id, claim_id
    ), ${attemptsOfHeld(sql)}
    select claim_id, delivery_id
    from held`
}

// Plans the next attempt of what is to be tried again, and parks what has to wait. A retry that
// fails leaves the plan to whoever made it, also one that was made while it was under way, as when
// what was held for its endpoint goes on.
export async function insertFurtherAttempts(
  tx: Tx,
  outcomes: readonly Recorded[],
): Promise<HeldClaim[]> {
  if (outcomes.length === 0) return []
  return tx<HeldClaim[]>`
    with given as (
      ${givenOutcomes(tx, outcomes)}
    ), held as (
      update kernel.webhook_queue queue
      set claim_id = null,
        leased_until = null,
        is_tried = true,
        scheduled_at = case when given.is_planless then queue.scheduled_at else given.next_at end,
        retry_asked_at = case
          when given.is_parked then queue.retry_asked_at
          else nullif(queue.retry_asked_at, given.asked_at)
        end,
        run_at = coalesce(nullif(queue.retry_asked_at, given.asked_at),
          case when given.is_planless then queue.scheduled_at else given.next_at end,
          case when given.is_parked then 'infinity'::timestamptz end)
      from given
      where queue.shard = given.shard
        and queue.business_id = given.business_id
        and queue.environment = given.environment
        and queue.delivery_id = given.delivery_id
        and queue.claim_id = given.claim_id
      returning queue.delivery_id, given.claim_id
    ), ${attemptsOfHeld(tx)}
    select claim_id, delivery_id
    from held`
}

// As columns, which the server reads in a fraction of the time that it takes for as many objects.
function givenOutcomes(sql: Sql | Tx, outcomes: readonly Recorded[]) {
  const claims = outcomes.map(({ claimed }) => claimed)
  const attempts = outcomes.map(({ attempt }) => attempt)
  return sql`
    select *
    from unnest(
      ${column(claims.map(({ shard }) => shard))}::integer[],
      ${column(claims.map(({ businessId }) => businessId))}::uuid[],
      ${column(claims.map(({ environment }) => environment))}::text[],
      ${column(claims.map(({ deliveryId }) => deliveryId))}::uuid[],
      ${column(claims.map(({ endpointId }) => endpointId))}::uuid[],
      ${column(claims.map(({ claimId }) => claimId))}::uuid[],
      ${column(claims.map(({ retryAskedAt }) => retryAskedAt))}::timestamptz[],
      ${column(outcomes.map(({ scheduledAt }) => scheduledAt))}::timestamptz[],
      ${column(outcomes.map(isPlanless))}::boolean[],
      ${column(outcomes.map(({ isParked }) => isParked))}::boolean[],
      ${column(attempts.map((one) => one?.number))}::integer[],
      ${column(attempts.map((one) => one?.isManual))}::boolean[],
      ${column(attempts.map((one) => one?.attemptedAt))}::timestamptz[],
      ${column(attempts.map((one) => one?.durationMs))}::integer[],
      ${column(attempts.map((one) => one?.statusCode))}::integer[],
      ${column(attempts.map((one) => one?.error))}::text[],
      ${column(attempts.map((one) => one?.nextRetryAt))}::timestamptz[],
      ${column(attempts.map((one) => one?.deadLettered))}::boolean[]
    ) as given (shard, business_id, environment, delivery_id, endpoint_id, claim_id, asked_at,
      next_at, is_planless, is_parked, attempt_number, is_manual, attempted_at, duration_ms,
      status_code, error, next_retry_at, dead_lettered)`
}

// It says nothing about the plan: it was asked for and failed, or was asked for and not sent.
function isPlanless({ claimed, attempt }: Recorded): boolean {
  return attempt ? attempt.isManual && attempt.error !== null : claimed.scheduledAt === null
}

type Cell = string | number | boolean | Date | null | undefined

// As the server writes an array. The driver would look for characters to escape in every cell; of
// what is recorded none has any.
function column(cells: readonly Cell[]): string {
  const text = cells.map((cell) => {
    if (cell === null || cell === undefined) return 'null'
    return cell instanceof Date ? cell.toISOString() : String(cell)
  })
  const literal = `{${text.join(',')}}`
  assert(/^[{}\w.:,+-]*$/.test(literal), 'a value has characters that would have to be escaped')
  return literal
}

// Of those that were sent; the others have no number.
function attemptsOfHeld(sql: Sql | Tx) {
  return sql`attempt as (
      insert into kernel.webhook_attempts
        (business_id, environment, delivery_id, endpoint_id, attempt_number, is_manual,
         attempted_at, duration_ms, status_code, error, succeeded, next_retry_at, dead_lettered)
      select business_id, environment, delivery_id, endpoint_id, attempt_number, is_manual,
        attempted_at, duration_ms, status_code, error, error is null, next_retry_at, dead_lettered
      from given
      join held
        using (delivery_id, claim_id)
      where attempt_number is not null
    )`
}

// Nothing of those that were on their way and arrived or stay so: queue and log say it.
export async function updateDeliveries(tx: Tx, outcomes: readonly Recorded[]): Promise<void> {
  const rows = outcomes.flatMap(({ claimed, stoppedAs }) =>
    stoppedAs === claimed.stoppedAs ? [] : [{ ...keyOf(claimed), stopped_as: stoppedAs }],
  )
  if (rows.length === 0) return
  await tx`
    update kernel.webhook_deliveries delivery
    set stopped_as = given.stopped_as
    from jsonb_to_recordset(${tx.json(rows)}) as given (business_id uuid,
      environment text, delivery_id uuid, stopped_as text)
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
