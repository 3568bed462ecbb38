-- A batch is one act on many documents, which a job does one after the other. Each document has its
-- own row, so that people see what became of it, and the job can go on after a crash.
create table books.batches (
  business_id uuid not null,
  environment text not null,
  id uuid not null,
  act text not null,
  side text not null,
  person_id uuid not null,
  -- Of payments: the account, the day and the reference of all of them.
  payment jsonb,
  document_count integer not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (business_id, environment, id),
  foreign key (business_id, environment) references books.organisations (business_id, environment),
  constraint batches_act check (act in ('submit', 'approve', 'issue', 'send', 'record_payment')),
  constraint batches_side check (side in ('sales', 'purchases')),
  constraint batches_payment check ((payment is not null) = (act = 'record_payment')),
  constraint batches_count check (document_count > 0)
);

create index batches_newest on books.batches (business_id, environment, created_at desc, id desc);

create table books.batch_documents (
  business_id uuid not null,
  environment text not null,
  batch_id uuid not null,
  position integer not null,
  document_id uuid not null,
  -- The version that the person saw.
  version integer not null,
  -- What is paid of it, in minor units of its currency.
  amount_minor bigint,
  status text not null,
  -- Why it was refused.
  reason text,
  ended_at timestamptz,
  primary key (business_id, environment, batch_id, position),
  unique (business_id, environment, batch_id, document_id),
  foreign key (business_id, environment, batch_id)
    references books.batches (business_id, environment, id),
  foreign key (business_id, environment, document_id)
    references books.documents (business_id, environment, id),
  constraint batch_documents_status check (status in ('waiting', 'done', 'refused')),
  constraint batch_documents_reason check ((reason is not null) = (status = 'refused')),
  constraint batch_documents_end check ((ended_at is not null) = (status <> 'waiting')),
  constraint batch_documents_amount check (amount_minor > 0)
);
