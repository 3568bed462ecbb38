-- Two guards in a form that a distributed database takes as well. There, a statement that joins its
-- own changed rows with another table is refused, and an entry reaches its server before its lines.
-- What they refuse stays the same.

-- An entry must have lines when its transaction ends.
drop trigger ledger_entries_have_lines on kernel.ledger_entries;

create or replace function kernel.check_ledger_entries() returns trigger
language plpgsql as $$
begin
  perform
  from kernel.ledger_lines
  where business_id = new.business_id
    and environment = new.environment
    and entry_id = new.id
    and position = 1;
  if not found then
    raise exception 'ledger entry % has no lines', new.id
      using errcode = 'check_violation';
  end if;
  return null;
end
$$;

create constraint trigger ledger_entries_have_lines
  after insert on kernel.ledger_entries
  deferrable initially deferred
  for each row
  execute function kernel.check_ledger_entries();

-- Documents are looked up one by one, by key.
create or replace function books.check_document_lines() returns trigger
language plpgsql as $$
declare
  part record;
begin
  for part in
    select distinct business_id, environment, document_id
    from changed
  loop
    perform
    from books.documents
    where business_id = part.business_id
      and environment = part.environment
      and id = part.document_id
      and (posted_at is not null or voided_at is not null);
    if found then
      raise exception 'the lines of what is in the books or void stay as they are'
        using errcode = 'restrict_violation';
    end if;
  end loop;
  return null;
end
$$;

-- Keys and triggers that `cli distribute` has taken off and not yet put back.
create table kernel.detached_objects (
  kind text not null,
  table_name text not null,
  name text not null,
  definition text not null,
  constraint detached_objects_pkey primary key (kind, table_name, name),
  constraint detached_objects_kind_check check (kind in ('foreign key', 'trigger'))
);
