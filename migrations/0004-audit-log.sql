-- Who did what: one row per act, written by the transaction of the act and never changed. A
-- sealer numbers the committed rows of each tenant afterwards and chains them by hash; doing so
-- inside the act's transaction would queue a busy business behind one row.

create table kernel.audit_log (
  business_id uuid not null references kernel.businesses (id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('key', 'person', 'system')),
  actor_id text not null,
  -- For example `api_key.create`.
  action text not null check (action ~ '^[a-z0-9_]+(\.[a-z0-9_]+)+$'),
  object_kind text not null,
  object_id text not null,
  -- Never a secret.
  detail jsonb not null,
  -- Null until the row is sealed.
  sequence bigint check (sequence >= 1),
  previous_hash bytea check (length(previous_hash) = 32),
  hash bytea check (length(hash) = 32),
  primary key (business_id, environment, id),
  -- The last guard against two sealers that would fork the chain.
  unique (business_id, environment, sequence),
  check ((sequence is null) = (hash is null)),
  check ((sequence is null) = (previous_hash is null))
);

create index audit_log_unsealed on kernel.audit_log (business_id, environment, id)
where sequence is null;

-- The end of each chain. A sealer locks the row, so there is one at a time for a tenant; and rows
-- that are cut off the end of the log are missed here.
create table kernel.audit_chains (
  business_id uuid not null references kernel.businesses (id),
  environment text not null check (environment in ('live', 'test')),
  sequence bigint not null check (sequence >= 0),
  hash bytea not null check (length(hash) = 32),
  primary key (business_id, environment)
);

create function kernel.guard_audit_log() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'INSERT' then
    if new.sequence is null then
      return new;
    end if;
    raise exception 'a row of the audit log is written unsealed';
  end if;
  if tg_op = 'UPDATE' then
    if old.sequence is null
      and new.sequence is not null
      and (
        new.business_id, new.environment, new.id, new.at, new.actor_kind, new.actor_id,
        new.action, new.object_kind, new.object_id, new.detail
      ) is not distinct from (
        old.business_id, old.environment, old.id, old.at, old.actor_kind, old.actor_id,
        old.action, old.object_kind, old.object_id, old.detail
      )
    then
      return new;
    end if;
  end if;
  raise exception 'the audit log is append-only';
end
$$;

create trigger audit_log_append_only
before insert or update or delete on kernel.audit_log
for each row execute function kernel.guard_audit_log();

create trigger audit_log_no_truncate
before truncate on kernel.audit_log
for each statement execute function kernel.guard_audit_log();
