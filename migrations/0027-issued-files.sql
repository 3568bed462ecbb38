-- The file of an issued document is drawn because it was issued, and kept with its hash.

-- First computed for the files that are there, then said by whoever draws one. The column is born
-- computed because those rows refuse every update.
alter table books.document_files
  add column sha256 bytea generated always as (sha256(content)) stored;
alter table books.document_files
  alter column sha256 drop expression;
alter table books.document_files
  alter column sha256 set not null,
  add check (length(sha256) = 32);

create function books.refuse_files_truncate() returns trigger
language plpgsql as $$
begin
  raise exception 'the files of documents stay as they are'
    using errcode = 'restrict_violation';
end
$$;

create trigger document_files_are_not_truncated
  before truncate on books.document_files
  for each statement execute function books.refuse_files_truncate();

-- What was issued before and never asked for is drawn from now on, four a second at most, so that
-- nobody is called because the queue is long. Now is when the schedules last planned to run. The
-- shard is that of the application: the last four digits of the business, modulo sixteen.
insert into kernel.jobs (
  shard, id, business_id, environment, kind, payload, unique_key, run_at, attempts, created_at
)
select
  ('x' || right(business_id::text, 4))::bit(16)::integer % 16,
  md5('draw-document' || business_id || environment || id)::uuid,
  business_id, environment, 'draw-document', jsonb_build_object('documentId', id), id::text,
  latest.at + row_number() over (order by posted_at, id) * interval '0.25 seconds', 0, latest.at
from books.documents as document
cross join (
  select coalesce(max(next_run_at), 'epoch') as at
  from kernel.schedules
) as latest
where number is not null
  and snapshot is not null
  and not exists (
    select
    from books.document_files as file
    where file.business_id = document.business_id
      and file.environment = document.environment
      and file.document_id = document.id
  );

-- Organisations that name no default accounts get those of the default chart, where they have them
-- still: the accounts that lines take which name none, and whose item and contact name none.
update books.organisations as organisation
set default_sales_account_id = account.id
from books.accounts as account
where account.business_id = organisation.business_id
  and account.environment = organisation.environment
  and organisation.default_sales_account_id is null
  and account.code = '4000'
  and account.subtype = 'sales'
  and account.active;

update books.organisations as organisation
set default_purchase_account_id = account.id
from books.accounts as account
where account.business_id = organisation.business_id
  and account.environment = organisation.environment
  and organisation.default_purchase_account_id is null
  and account.code = '6300'
  and account.subtype = 'operating_expense'
  and account.active;
