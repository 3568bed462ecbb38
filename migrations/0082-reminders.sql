-- expand
-- Reminders of open invoices. A business without a row, as all that exist already, has them off.
create table books.reminder_settings (
  business_id uuid not null,
  environment text not null,
  is_on boolean not null,
  -- Days from the due date, ascending: -3 is three days before it.
  steps integer[] not null,
  -- Steps of earlier days are never sent: when it was switched on, or the steps were changed.
  since timestamptz not null,
  constraint reminder_settings_pkey primary key (business_id, environment),
  constraint reminder_settings_books_fkey
    foreign key (business_id, environment)
    references books.organisations (business_id, environment)
);

-- One row for each reminder that was mailed, with the id of the mail.
create table books.reminders (
  business_id uuid not null,
  environment text not null,
  id uuid not null,
  document_id uuid not null,
  -- The due date that it told, and the step: its days from that date.
  due_date date not null,
  step integer not null,
  recipient text not null,
  -- On which day it was mailed, in the customer's time zone.
  day date not null,
  created_at timestamptz not null,
  constraint reminders_pkey primary key (business_id, environment, id),
  constraint reminders_once unique (business_id, environment, document_id, due_date, step),
  constraint reminders_once_a_day unique (business_id, environment, document_id, day),
  constraint reminders_document_fkey
    foreign key (business_id, environment, document_id)
    references books.documents (business_id, environment, id)
);

-- Why an invoice, or all invoices of a contact, are not reminded, until a person resumes.
create table books.reminder_stops (
  business_id uuid not null,
  environment text not null,
  id uuid not null,
  document_id uuid,
  contact_id uuid,
  kind text not null,
  -- In the words of the person.
  reason text,
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint reminder_stops_pkey primary key (business_id, environment, id),
  constraint reminder_stops_kind_check check (kind in ('disputed', 'reopened', 'paused')),
  constraint reminder_stops_subject_check check (
    (kind = 'paused') = (contact_id is not null)
    and num_nonnulls(document_id, contact_id) = 1
  ),
  constraint reminder_stops_document_fkey
    foreign key (business_id, environment, document_id)
    references books.documents (business_id, environment, id),
  constraint reminder_stops_contact_fkey
    foreign key (business_id, environment, contact_id)
    references books.contacts (business_id, environment, id)
);

create unique index reminder_stops_of_document
  on books.reminder_stops (business_id, environment, document_id, kind)
  where document_id is not null and ended_at is null;

create unique index reminder_stops_of_contact
  on books.reminder_stops (business_id, environment, contact_id)
  where contact_id is not null and ended_at is null;

create index reminder_stops_by_document
  on books.reminder_stops (business_id, environment, document_id);

create index reminder_stops_by_contact
  on books.reminder_stops (business_id, environment, contact_id);

-- Invoices that a refund or chargeback has opened again before.
insert into books.reminder_stops
  (business_id, environment, id, document_id, kind, created_at)
select
  release.business_id, release.environment, release.document_id, release.document_id, 'reopened',
  document.updated_at
from (
  select distinct business_id, environment, document_id
  from books.refund_releases
) as release
join books.documents as document
  on document.business_id = release.business_id
  and document.environment = release.environment
  and document.id = release.document_id
where document.kind = 'invoice';

create index documents_to_remind
  on books.documents (business_id, environment, due_date, id)
  where kind = 'invoice' and status in ('posted', 'sent', 'partially_paid');

-- For mails to the contact; without them, those of the business.
alter table books.contacts
  add column time_zone text;

alter table books.contacts
  add column language text;

alter table books.contacts
  add constraint contacts_language_check check (language in ('en', 'fr'));
