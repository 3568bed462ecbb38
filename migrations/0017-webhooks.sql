-- Telling others what happened: who is told, what each is to be told, what was tried, and what is
-- waiting to be sent.

create table kernel.webhook_endpoints (
  business_id uuid not null references kernel.businesses (id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  service text not null check (service in ('merchant', 'books')),
  url text not null check (length(url) between 1 and 500),
  secret_sealed bytea not null,
  -- Null: every event of the service.
  event_types text[],
  -- Off: switched off after too many failures. What is off or deleted is sent nothing.
  state text not null check (state in ('on', 'off', 'deleted')),
  -- Counted where the service switches endpoints off.
  failures_in_row integer not null check (failures_in_row >= 0),
  created_at timestamptz not null,
  -- Since when it is in its state.
  state_since timestamptz not null,
  primary key (business_id, environment, id)
);

create index webhook_endpoints_on
  on kernel.webhook_endpoints (business_id, environment, service)
  where state = 'on';

-- One event for one endpoint. Inserted in the transaction of the change that the event reports. No
-- foreign keys: each would lock the endpoint's row in every such transaction, and an endpoint is
-- never removed; the invariants look instead.
create table kernel.webhook_deliveries (
  business_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  -- ended: the endpoint was deleted or switched off before it was delivered.
  state text not null check (state in ('open', 'delivered', 'dead_lettered', 'ended')),
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (business_id, environment, id),
  check ((state = 'open') = (ended_at is null))
);

-- Also how the deliveries of an event are found.
create unique index webhook_deliveries_once
  on kernel.webhook_deliveries (business_id, environment, event_id, endpoint_id);

create index webhook_deliveries_open
  on kernel.webhook_deliveries (business_id, environment, endpoint_id)
  where state = 'open';

-- The log, which is only added to.
create table kernel.webhook_attempts (
  business_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  delivery_id uuid not null,
  attempt_number integer not null check (attempt_number >= 1),
  endpoint_id uuid not null,
  -- Asked for by somebody; the schedule does not count it.
  is_manual boolean not null,
  attempted_at timestamptz not null,
  duration_ms integer not null check (duration_ms >= 0),
  -- Null when no answer came; then the error says why.
  status_code integer check (status_code between 100 and 999),
  error text,
  succeeded boolean not null,
  next_retry_at timestamptz,
  dead_lettered boolean not null,
  primary key (business_id, environment, delivery_id, attempt_number),
  check (succeeded = (error is null)),
  check (status_code is not null or not succeeded),
  check (next_retry_at is null or not (succeeded or dead_lettered))
);

create index webhook_attempts_of_endpoint
  on kernel.webhook_attempts (business_id, environment, endpoint_id, attempted_at desc);

-- What is waiting to be sent or is being sent, and nothing else, so that it stays small. Claimed
-- within one shard, like jobs.
create table kernel.webhook_queue (
  shard integer not null check (shard >= 0),
  delivery_id uuid not null,
  business_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  endpoint_id uuid not null,
  event_id uuid not null,
  -- From when on a worker may take it: its time, or the end of the lease of whoever took it.
  run_at timestamptz not null,
  -- When the schedule wants the next attempt; null when the delivery is closed and waits only for
  -- a retry that somebody asked for.
  scheduled_at timestamptz,
  retry_asked_at timestamptz,
  -- Who may record the outcome; it changes with every claim.
  claim_id uuid,
  primary key (shard, business_id, environment, delivery_id),
  check (num_nonnulls(scheduled_at, retry_asked_at) >= 1)
) with (
  -- Every row dies young, so a share of the table says nothing: vacuum by number, and often.
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0
);

-- By endpoint first: the endpoints that have something due are found by skipping from one to the
-- next, however long the queue of one of them is.
create index webhook_queue_due
  on kernel.webhook_queue (shard, business_id, environment, endpoint_id, run_at);
