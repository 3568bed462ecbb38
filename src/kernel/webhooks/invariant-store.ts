import type { Sql } from '../db/database.ts'
import type { Violation } from '../db/invariant.ts'

// Endpoints are read without a lock when an event is written. So an event written while an endpoint
// is created, switched or deleted may or may not have a delivery. No transaction of ours takes as
// long as this.
const unsureMinutes = 5

export async function listMisaddressedEvents(sql: Sql, limit: number): Promise<Violation[]> {
  return sql`
    select event.business_id, event.environment, event.id as event_id, endpoint.id as endpoint_id
    from kernel.events event
    join kernel.webhook_endpoints endpoint
      on endpoint.business_id = event.business_id
      and endpoint.environment = event.environment
      and endpoint.service = event.service
      and (event.endpoint_id = endpoint.id
        or (event.endpoint_id is null
          and (endpoint.event_types is null or event.type = any(endpoint.event_types))))
      and event.created_at > endpoint.told_since + ${unsureMinutes} * interval '1 minute'
      and (endpoint.state = 'on'
        or event.created_at < endpoint.state_since - ${unsureMinutes} * interval '1 minute')
    where not exists (
      select 1
      from kernel.webhook_deliveries delivery
      where delivery.business_id = event.business_id
        and delivery.environment = event.environment
        and delivery.event_id = event.id
        and delivery.endpoint_id = endpoint.id
    )
    limit ${limit}`
}

// A delivery without event or endpoint, or of another service's event.
export async function listStrayDeliveries(sql: Sql, limit: number): Promise<Violation[]> {
  return sql`
    select delivery.business_id, delivery.environment, delivery.id as delivery_id
    from kernel.webhook_deliveries delivery
    left join kernel.events event
      on event.business_id = delivery.business_id
      and event.environment = delivery.environment
      and event.id = delivery.event_id
    left join kernel.webhook_endpoints endpoint
      on endpoint.business_id = delivery.business_id
      and endpoint.environment = delivery.environment
      and endpoint.id = delivery.endpoint_id
    where event.service is distinct from endpoint.service
      or event.service is null
    limit ${limit}`
}

// On hold for an endpoint that is on or deleted, for longer than it takes to resume or end them.
export async function listForgottenDeliveries(
  sql: Sql,
  now: Date,
  limit: number,
): Promise<Violation[]> {
  return sql`
    select queue.business_id, queue.environment, queue.delivery_id
    from kernel.webhook_queue queue
    join kernel.webhook_endpoints endpoint
      on endpoint.business_id = queue.business_id
      and endpoint.environment = queue.environment
      and endpoint.id = queue.endpoint_id
    where queue.run_at = 'infinity'
      and endpoint.state <> 'off'
      and endpoint.state_since < ${now}::timestamptz - ${unsureMinutes} * interval '1 minute'
    limit ${limit}`
}

// A delivery is in the queue for the schedule, delivered, or stopped: exactly one of these.
export async function listMisqueuedDeliveries(sql: Sql, limit: number): Promise<Violation[]> {
  return sql`
    select coalesce(delivery.business_id, queue.business_id) as business_id,
      coalesce(delivery.id, queue.delivery_id) as delivery_id, delivery.stopped_as,
      queue.scheduled_at, arrived.delivery_id is not null as has_arrived
    from kernel.webhook_deliveries delivery
    full join kernel.webhook_queue queue
      on queue.business_id = delivery.business_id
      and queue.environment = delivery.environment
      and queue.delivery_id = delivery.id
    left join (
      select distinct business_id, environment, delivery_id
      from kernel.webhook_attempts
      where succeeded
    ) as arrived
      on arrived.business_id = delivery.business_id
      and arrived.environment = delivery.environment
      and arrived.delivery_id = delivery.id
    where delivery.id is null
      or num_nonnulls(queue.scheduled_at, arrived.delivery_id, delivery.stopped_as) <> 1
    limit ${limit}`
}

// Numbers without gaps, no more scheduled attempts than the schedule has, and a dead letter exactly
// after the last one.
export async function listMiscountedAttempts(
  sql: Sql,
  attemptsMax: Readonly<Record<string, number>>,
  limit: number,
): Promise<Violation[]> {
  return sql`
    select delivery.business_id, delivery.environment, delivery.id as delivery_id,
      delivery.stopped_as, log.attempts, log.scheduled
    from kernel.webhook_deliveries delivery
    join kernel.webhook_endpoints endpoint
      on endpoint.business_id = delivery.business_id
      and endpoint.environment = delivery.environment
      and endpoint.id = delivery.endpoint_id
    left join kernel.webhook_queue queue
      on queue.business_id = delivery.business_id
      and queue.environment = delivery.environment
      and queue.delivery_id = delivery.id
    cross join lateral (
      select count(*) as attempts,
        count(*) filter (where not is_manual) as scheduled,
        coalesce(max(attempt_number), 0) as highest
      from kernel.webhook_attempts attempt
      where attempt.business_id = delivery.business_id
        and attempt.environment = delivery.environment
        and attempt.delivery_id = delivery.id
    ) as log
    cross join lateral (
      select (${sql.json(attemptsMax)}::jsonb ->> endpoint.service)::integer as attempts_max
    ) as schedule
    where log.highest <> log.attempts
      or log.scheduled > schedule.attempts_max
      or (delivery.stopped_as = 'dead_lettered'
        and log.scheduled <> schedule.attempts_max)
      or (queue.scheduled_at is not null
        and log.scheduled >= schedule.attempts_max)
    limit ${limit}`
}

// After each failed scheduled attempt, the documented delay was planned, plus the duration of the
// attempt and the jitter of the service.
export async function listMistimedAttempts(
  sql: Sql,
  waits: readonly { service: string; number: number; seconds: number; secondsMax: number }[],
  limit: number,
): Promise<Violation[]> {
  const given = waits.map(({ service, number, seconds, secondsMax }) => ({
    service,
    number,
    seconds,
    seconds_max: secondsMax,
  }))
  return sql`
    select attempt.business_id, attempt.environment, attempt.delivery_id, attempt.attempt_number,
      attempt.attempted_at, attempt.next_retry_at
    from (
      select attempt.*, endpoint.service,
        row_number() over (
          partition by attempt.business_id, attempt.environment, attempt.delivery_id
          order by attempt.attempt_number
        ) as number
      from kernel.webhook_attempts attempt
      join kernel.webhook_endpoints endpoint
        on endpoint.business_id = attempt.business_id
        and endpoint.environment = attempt.environment
        and endpoint.id = attempt.endpoint_id
      where not attempt.is_manual
    ) as attempt
    join jsonb_to_recordset(${sql.json(given)})
      as wait (service text, number integer, seconds integer, seconds_max double precision)
      on wait.service = attempt.service
      and wait.number = attempt.number
    where not attempt.succeeded
      and (attempt.next_retry_at is null
        or attempt.next_retry_at < attempt.attempted_at + wait.seconds * interval '1 second'
        or attempt.next_retry_at
          > attempt.attempted_at + wait.seconds_max * interval '1 second' + interval '1 minute')
    limit ${limit}`
}
