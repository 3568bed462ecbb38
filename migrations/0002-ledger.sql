-- The double-entry ledger of one tenant: entries of balanced lines in minor units, never changed
-- once written. Positive is a debit, negative a credit.
-- docs/decisions/0004-ledger-balances.md tells why balances are kept as they are.

create table kernel.ledger_entries (
  business_id uuid not null references kernel.businesses (id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  kind text not null check (kind ~ '^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$' and length(kind) <= 100),
  -- The object of a service that this entry is about.
  source_id uuid,
  description text check (length(description) between 1 and 500),
  line_count integer not null check (line_count between 2 and 1000),
  created_at timestamptz not null,
  primary key (business_id, environment, id),
  -- One fact is booked once: a second posting of the same kind about the same object is refused,
  -- whatever the code that asks for it believes. Entries without a source are not compared.
  unique (business_id, environment, source_id, kind)
);

create table kernel.ledger_lines (
  business_id uuid not null,
  environment text not null,
  entry_id uuid not null,
  position integer not null check (position >= 1),
  -- Compared byte by byte, so that the application and every database sort, and therefore lock,
  -- accounts in the same order.
  account text collate "C" not null
    check (account ~ '^[a-z][a-z0-9_-]*(:[a-z0-9][a-z0-9_-]*)*$' and length(account) <= 150),
  currency text collate "C" not null check (currency ~ '^[A-Z]{3}$'),
  amount_minor bigint not null
    check (amount_minor <> 0 and abs(amount_minor) <= 1000000000000000),
  primary key (business_id, environment, entry_id, position),
  foreign key (business_id, environment, entry_id)
    references kernel.ledger_entries (business_id, environment, id)
);

-- "Why this number?": the lines behind a balance, newest first.
create index ledger_lines_behind_balance
  on kernel.ledger_lines (business_id, environment, account, currency, entry_id, position);

-- What has been folded so far, per account and currency. The balance is this plus the tail. The
-- row is also what a debit locks that must not overdraw the account.
create table kernel.ledger_checkpoints (
  business_id uuid not null,
  environment text not null,
  account text collate "C" not null,
  currency text collate "C" not null,
  balance_minor bigint not null,
  primary key (business_id, environment, account, currency)
);

-- A copy of every line that no checkpoint holds yet. Folding deletes rows here and adds their sum
-- to the checkpoint in one statement, so a line is counted in exactly one of the two.
create table kernel.ledger_tail (
  business_id uuid not null,
  environment text not null,
  account text collate "C" not null,
  currency text collate "C" not null,
  entry_id uuid not null,
  position integer not null,
  amount_minor bigint not null,
  primary key (business_id, environment, account, currency, entry_id, position)
) with (
  -- Every row is deleted soon after it was inserted: vacuum by count, since the share of dead rows
  -- in a table that is nearly empty says little.
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000
);

-- The second guard of the balance, behind the statement that inserts an entry: the lines that one
-- statement inserts must be all the lines of their entries (positions 1 to line_count, once each
-- by the primary key, so that nothing can be added later) and sum to zero per currency.
-- Rows are looked up one by one, by key: a join might be planned while the tables are small and
-- then read them whole for every entry.
create function kernel.check_ledger_lines() returns trigger
language plpgsql as $$
declare
  part record;
  expected integer;
begin
  for part in
    select business_id, environment, entry_id, sum(line_count) as line_count,
      max(position_max) as position_max, bool_and(sum_minor = 0) as is_balanced
    from (
      select business_id, environment, entry_id, count(*) as line_count,
        max(position) as position_max, sum(amount_minor) as sum_minor
      from inserted
      group by business_id, environment, entry_id, currency
    ) as by_currency
    group by business_id, environment, entry_id
  loop
    select line_count
    into expected
    from kernel.ledger_entries
    where business_id = part.business_id
      and environment = part.environment
      and id = part.entry_id;
    if part.line_count <> expected or part.position_max <> expected or not part.is_balanced then
      raise exception 'ledger entry % is incomplete or not balanced', part.entry_id
        using errcode = 'check_violation';
    end if;
  end loop;
  return null;
end
$$;

create trigger ledger_lines_are_balanced
  after insert on kernel.ledger_lines
  referencing new table as inserted
  for each statement
  execute function kernel.check_ledger_lines();

-- An entry must come with its lines. Whether they are complete is checked with the lines.
create function kernel.check_ledger_entries() returns trigger
language plpgsql as $$
declare
  entry record;
begin
  for entry in
    select business_id, environment, id
    from inserted
  loop
    perform
    from kernel.ledger_lines
    where business_id = entry.business_id
      and environment = entry.environment
      and entry_id = entry.id
      and position = 1;
    if not found then
      raise exception 'ledger entry % has no lines', entry.id
        using errcode = 'check_violation';
    end if;
  end loop;
  return null;
end
$$;

create trigger ledger_entries_have_lines
  after insert on kernel.ledger_entries
  referencing new table as inserted
  for each statement
  execute function kernel.check_ledger_entries();

-- What was booked stays booked; a mistake is corrected by another entry.
create function kernel.refuse_ledger_change() returns trigger
language plpgsql as $$
begin
  raise exception '% is append-only: % is refused', tg_table_name, lower(tg_op)
    using errcode = 'object_not_in_prerequisite_state';
end
$$;

create trigger ledger_entries_are_append_only
  before update or delete or truncate on kernel.ledger_entries
  for each statement
  execute function kernel.refuse_ledger_change();

create trigger ledger_lines_are_append_only
  before update or delete or truncate on kernel.ledger_lines
  for each statement
  execute function kernel.refuse_ledger_change();
