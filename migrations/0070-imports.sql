-- Imports of files: what was uploaded, how far it got, and what each import made, so that it can be
-- undone.

create table books.imports (
  business_id uuid not null,
  environment text not null,
  id uuid not null,
  name text not null,
  file_name text not null,
  content bytea not null,
  sha256 bytea not null,
  -- The day of opening balances.
  date date,
  is_posted boolean not null,
  sends_webhooks boolean not null,
  confirms_old_date boolean not null,
  status text not null,
  row_count integer not null,
  step_count integer not null,
  steps_done integer not null,
  problems jsonb not null,
  -- Who started it: its rows are made in this person's name.
  person_id uuid,
  person_role text,
  created_at timestamptz not null,
  finished_at timestamptz,
  undone_at timestamptz,
  constraint imports_pkey primary key (business_id, environment, id),
  constraint imports_status check (status in (
    'checking', 'refused', 'checked', 'importing', 'stopped', 'imported', 'undoing', 'undone'
  )),
  constraint imports_steps check (steps_done between 0 and step_count),
  constraint imports_problems check (jsonb_typeof(problems) = 'array'),
  constraint imports_person check ((person_id is null) = (person_role is null))
);

create index imports_newest
  on books.imports (business_id, environment, created_at desc, id desc);

create table books.import_objects (
  business_id uuid not null,
  environment text not null,
  import_id uuid not null,
  position integer not null,
  kind text not null,
  object_id uuid not null,
  -- In the file, as a spreadsheet counts.
  row_number integer not null,
  undone_at timestamptz,
  constraint import_objects_pkey primary key (business_id, environment, import_id, position),
  constraint import_objects_import foreign key (business_id, environment, import_id)
    references books.imports (business_id, environment, id),
  constraint import_objects_kind check (kind in (
    'account', 'contact', 'item', 'document', 'payment', 'journal'
  ))
);

-- As before, but an imported document gives up its own number when its import is undone, so that
-- the corrected file can bring it again.
create or replace function books.check_document_change() returns trigger
language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'documents are never deleted' using errcode = 'restrict_violation';
  end if;
  if old.voided_at is not null then
    raise exception 'document % is void and stays so', old.id
      using errcode = 'restrict_violation';
  end if;
  if old.posted_at is not null and (
    old.kind, old.contact_id, old.date, old.currency, old.fx_rate,
    old.subtotal_minor, old.tax_total_minor, old.total_minor, old.posted_at, old.snapshot,
    old.credits_document_id
  ) is distinct from (
    new.kind, new.contact_id, new.date, new.currency, new.fx_rate,
    new.subtotal_minor, new.tax_total_minor, new.total_minor, new.posted_at, new.snapshot,
    new.credits_document_id
  ) then
    raise exception 'document % is in the books and keeps its money', old.id
      using errcode = 'restrict_violation';
  end if;
  if old.posted_at is not null
    and old.number is distinct from new.number
    and not (old.number_period = 'imported' and new.voided_at is not null)
  then
    raise exception 'document % is in the books and keeps its money', old.id
      using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
