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
