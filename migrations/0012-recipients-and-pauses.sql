-- Pauses: what the operator has stopped for maintenance, for everybody, until an announced end. One
-- row a pause, kept for ever: this is the record of who stopped what, when and why. Not a tenant's
-- data, so a distributed database keeps a copy of it everywhere.
create table merchant.pauses (
  id uuid primary key,
  kind text not null check (kind in ('payments', 'refunds', 'payouts')),
  reason text check (length(reason) between 1 and 500),
  set_by text not null,
  set_at timestamptz not null,
  ends_at timestamptz not null,
  -- When it ended before its time; null also once it has run out by itself.
  lifted_by text,
  lifted_at timestamptz,
  check (ends_at > set_at),
  check ((lifted_by is null) = (lifted_at is null))
);

create index pauses_standing
  on merchant.pauses (kind, ends_at)
  where lifted_at is null;

-- Registering a recipient with the provider. A row without `subaccount_id` is not registered yet,
-- and gets nothing of any charge; one that the provider definitely refused is deleted, so that its
-- reference is free again.
alter table merchant.split_recipients
  -- The holder, as the provider resolved it.
  add column account_name text,
  -- How often, and when last, the provider was asked to register it; after a lost answer it is
  -- looked up before it is asked again.
  add column sends integer not null default 0 check (sends >= 0),
  add column sent_at timestamptz,
  -- Until when whoever registers it may take; nobody else touches it meanwhile.
  add column claimed_until timestamptz,
  -- When the resolver looks next; null is at once.
  add column next_look_at timestamptz,
  add check (subaccount_id is null or (claimed_until is null and next_look_at is null));

create index split_recipients_unregistered
  on merchant.split_recipients (next_look_at nulls first)
  where subaccount_id is null;

-- The reconciliation of splits looks for these, of all tenants.
create index payments_split
  on merchant.payments (settled_at)
  where split_recipient_id is not null;
