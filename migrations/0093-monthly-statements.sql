-- expand
-- Statements of account that are mailed by themselves each month. A business without a row, as all
-- that exist already, has them off.
create table books.statement_settings (
  business_id uuid not null,
  environment text not null,
  is_on boolean not null,
  -- When it was switched on or off: months that had ended by then are never sent.
  since timestamptz not null,
  constraint statement_settings_pkey primary key (business_id, environment)
);

alter table books.statement_settings
  add constraint statement_settings_books_fkey
  foreign key (business_id, environment)
  references books.organisations (business_id, environment);

-- One row for each contact and month that was mailed, with the id of the mail.
create table books.monthly_statements (
  business_id uuid not null,
  environment text not null,
  id uuid not null,
  contact_id uuid not null,
  -- Its first day.
  month date not null,
  recipient text not null,
  created_at timestamptz not null,
  constraint monthly_statements_pkey primary key (business_id, environment, id),
  constraint monthly_statements_once unique (business_id, environment, contact_id, month),
  constraint monthly_statements_month_check check (extract(day from month) = 1)
);

alter table books.monthly_statements
  add constraint monthly_statements_contact_fkey
  foreign key (business_id, environment, contact_id)
  references books.contacts (business_id, environment, id);

-- Why a contact gets none, until a person resumes.
create table books.statement_stops (
  business_id uuid not null,
  environment text not null,
  id uuid not null,
  contact_id uuid not null,
  -- In the words of the person.
  reason text not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint statement_stops_pkey primary key (business_id, environment, id)
);

alter table books.statement_stops
  add constraint statement_stops_contact_fkey
  foreign key (business_id, environment, contact_id)
  references books.contacts (business_id, environment, id);

create unique index statement_stops_of_contact
  on books.statement_stops (business_id, environment, contact_id)
  where ended_at is null;

create index statement_stops_by_contact
  on books.statement_stops (business_id, environment, contact_id);
