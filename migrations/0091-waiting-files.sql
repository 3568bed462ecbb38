-- expand
-- Files of quotes, and files that wait for the first save of a document.
alter table books.attachments alter column document_id drop not null;

alter table books.attachments add column quote_id uuid;

alter table books.attachments
  add constraint attachments_quote
  foreign key (business_id, environment, quote_id)
  references books.quotes (business_id, environment, id);

alter table books.attachments
  add constraint attachments_owner
  check (document_id is null or quote_id is null);

create index attachments_by_quote
  on books.attachments (business_id, environment, quote_id, added_at, id)
  where quote_id is not null;

create index attachments_waiting
  on books.attachments (business_id, environment, added_at)
  where document_id is null and quote_id is null and removed_at is null;
