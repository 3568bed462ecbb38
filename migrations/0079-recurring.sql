-- A schedule makes a document or journal for each of its periods. Periods are counted from the
-- anchor: changing the rhythm moves it, and the numbers go on.
create table books.recurring_schedules (
  business_id uuid not null,
  environment text not null,
  id uuid not null,
  kind text not null,
  name text not null,
  -- Of documents.
  contact_id uuid,
  -- The fields and lines of what it makes, with placeholders in texts.
  template jsonb not null,
  -- What a document came to when the template was saved.
  currency text,
  total_minor bigint,
  mode text not null,
  interval_unit text not null,
  interval_count integer not null,
  anchor_day date not null,
  anchor_number integer not null,
  end_day date,
  times integer,
  status text not null,
  -- The next period. Every number before it has its row.
  next_number integer not null,
  next_day date,
  made_count integer not null,
  -- Who last wrote the template; null for the operator.
  author_person_id uuid,
  -- Why the next period could not be made, and when it is tried again.
  problem text,
  try_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (business_id, environment, id),
  foreign key (business_id, environment) references books.organisations (business_id, environment),
  foreign key (business_id, environment, contact_id)
    references books.contacts (business_id, environment, id),
  constraint recurring_schedules_kind check (kind in ('invoice', 'bill', 'journal')),
  constraint recurring_schedules_contact check ((contact_id is null) = (kind = 'journal')),
  constraint recurring_schedules_mode
    check (mode in ('draft', 'post') or (mode = 'send' and kind = 'invoice')),
  constraint recurring_schedules_unit check (interval_unit in ('day', 'week', 'month', 'year')),
  constraint recurring_schedules_count check (interval_count between 1 and 365),
  constraint recurring_schedules_numbers
    check (anchor_number >= 1 and next_number >= anchor_number),
  constraint recurring_schedules_end check (end_day is null or times is null),
  constraint recurring_schedules_times check (times > 0),
  constraint recurring_schedules_status check (status in ('active', 'paused', 'ended')),
  constraint recurring_schedules_next check ((next_day is null) = (status = 'ended'))
);

create index recurring_schedules_due
  on books.recurring_schedules (next_day)
  where status = 'active';

-- One row for each period of a schedule, written in the transaction that makes the document.
create table books.recurring_periods (
  business_id uuid not null,
  environment text not null,
  schedule_id uuid not null,
  number integer not null,
  day date not null,
  -- Posting and sending: the draft exists, and the rest is still to be done. Waiting: a journal
  -- that a person has to post.
  status text not null,
  document_id uuid,
  -- Known before the journal is posted.
  journal_id uuid,
  journal jsonb,
  -- Why it was skipped, or why it is not posted or sent.
  reason text,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (business_id, environment, schedule_id, number),
  foreign key (business_id, environment, schedule_id)
    references books.recurring_schedules (business_id, environment, id),
  foreign key (business_id, environment, document_id)
    references books.documents (business_id, environment, id),
  constraint recurring_periods_day unique (business_id, environment, schedule_id, day),
  constraint recurring_periods_document unique (business_id, environment, document_id),
  constraint recurring_periods_journal unique (business_id, environment, journal_id),
  constraint recurring_periods_number check (number >= 1),
  constraint recurring_periods_status
    check (status in ('posting', 'sending', 'made', 'waiting', 'skipped')),
  constraint recurring_periods_made
    check (status = 'skipped' or num_nonnulls(document_id, journal_id) = 1),
  constraint recurring_periods_content check ((journal is null) = (journal_id is null)),
  constraint recurring_periods_end
    check ((ended_at is not null) = (status in ('made', 'skipped')))
);

create index recurring_periods_unfinished
  on books.recurring_periods (business_id, environment, schedule_id, number)
  where status in ('posting', 'sending');
