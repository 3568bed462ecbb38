-- Work that is waiting to be done, and work that recurs. A job is inserted by the transaction that
-- wants it, so it exists exactly when its cause does.

-- Pending work only: a finished job is deleted, so that the table stays small whatever passes
-- through it. A worker claims within one shard, because a distributed database refuses
-- `for update skip locked` across shards; the application derives the shard from the tenant.
-- There is no foreign key to the business for the same reason: the two are spread differently.
create table kernel.jobs (
  shard integer not null check (shard >= 0),
  id uuid not null,
  -- Both null: a job of the whole installation.
  business_id uuid,
  environment text check (environment in ('live', 'test')),
  kind text not null check (length(kind) between 1 and 100),
  payload jsonb not null,
  unique_key text check (length(unique_key) between 1 and 200),
  run_at timestamptz not null,
  -- Counted when the job is claimed, so that a worker that dies uses an attempt up.
  attempts integer not null check (attempts >= 0),
  -- Who may record the outcome. It changes with every claim, so a worker that lost its lease
  -- cannot complete what another has taken over.
  claim_id uuid,
  lease_until timestamptz,
  last_error text,
  -- Set when no attempt is left; the row stays for an operator to look at.
  dead_at timestamptz,
  created_at timestamptz not null,
  primary key (shard, id),
  check ((business_id is null) = (environment is null)),
  check ((claim_id is null) = (lease_until is null)),
  check (dead_at is null or claim_id is null)
) with (
  -- Claims and renewals touch no indexed column; with room on the page they cost no index entry.
  fillfactor = 70,
  -- Every row dies young, so a share of the table says nothing: vacuum by number, and often.
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0
);

create index jobs_due on kernel.jobs (shard, run_at)
where dead_at is null;

-- The same intent is queued once. The tenant is part of it: two businesses of one shard may well
-- choose the same words. A dead job does not stand in the way of a new cause.
create unique index jobs_unique_key on kernel.jobs (shard, business_id, environment, kind, unique_key)
nulls not distinct
where unique_key is not null and dead_at is null;

create index jobs_dead on kernel.jobs (shard, dead_at)
where dead_at is not null;

-- Recurring work of the installation: one row each, claimed like a job.
create table kernel.schedules (
  name text primary key check (length(name) between 1 and 100),
  next_run_at timestamptz not null,
  claim_id uuid,
  lease_until timestamptz,
  -- The last run that ended, well or badly; null before the first.
  last_run_at timestamptz,
  -- Null after a run that went well.
  last_error text,
  check ((claim_id is null) = (lease_until is null))
);
