-- Approvals of documents, and what is printed of them.

alter table books.documents
  -- Why it was given back to its author; gone when it is submitted again.
  add column return_reason text check (length(return_reason) between 1 and 500);

-- Up to what a person may approve, in minor units of the base currency. Without a row there is no
-- limit: the role alone says who may approve.
create table books.approval_limits (
  business_id uuid not null,
  environment text not null,
  person_id uuid not null,
  limit_minor bigint not null check (limit_minor >= 0),
  created_at timestamptz not null,
  primary key (business_id, environment, person_id),
  foreign key (business_id, environment) references books.organisations (business_id, environment)
);

-- The file of a document that was issued, drawn once from its frozen snapshot: it stays the same
-- file, whatever becomes of the program that drew it.
create table books.document_files (
  business_id uuid not null,
  environment text not null,
  document_id uuid not null,
  content bytea not null,
  created_at timestamptz not null,
  primary key (business_id, environment, document_id),
  foreign key (business_id, environment, document_id)
    references books.documents (business_id, environment, id)
);

create function books.refuse_file_change() returns trigger
language plpgsql as $$
begin
  raise exception 'the file of document % stays as it is', old.document_id
    using errcode = 'restrict_violation';
end
$$;

create trigger document_files_stay
  before update or delete on books.document_files
  for each row execute function books.refuse_file_change();

-- The lines of what is in the books, or void, stay as they are.
create function books.check_document_lines() returns trigger
language plpgsql as $$
begin
  if exists (
    select
    from changed
    join books.documents as document
      on document.business_id = changed.business_id
      and document.environment = changed.environment
      and document.id = changed.document_id
    where document.posted_at is not null
      or document.voided_at is not null
  ) then
    raise exception 'the lines of what is in the books or void stay as they are'
      using errcode = 'restrict_violation';
  end if;
  return null;
end
$$;

create trigger document_lines_are_not_added
  after insert on books.document_lines
  referencing new table as changed
  for each statement execute function books.check_document_lines();
create trigger document_lines_are_not_changed
  after update on books.document_lines
  referencing old table as changed
  for each statement execute function books.check_document_lines();
create trigger document_lines_are_not_removed
  after delete on books.document_lines
  referencing old table as changed
  for each statement execute function books.check_document_lines();

-- The same reference of a supplier is asked for whenever a bill is entered.
create index documents_of_reference
  on books.documents (business_id, environment, contact_id, reference)
  where reference is not null;

-- Lists count what they leave out too; this holds all that they filter by, so that counting reads
-- no document.
create index documents_counted
  on books.documents (business_id, environment, kind, status, date, contact_id);
