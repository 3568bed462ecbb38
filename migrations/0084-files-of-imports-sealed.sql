-- Files of imports name customers and what they owe. New ones are encrypted, and all of them are
-- deleted after a time; earlier ones stay readable until then.
alter table books.imports
  add column content_sealed bytea;

alter table books.imports
  alter column content drop not null;

create index imports_with_file on books.imports (created_at)
where content is not null or content_sealed is not null;

-- Deleting a contact looks for what names it.
create index recurring_schedules_of_contact
  on books.recurring_schedules (business_id, environment, contact_id);
