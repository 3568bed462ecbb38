-- Letters to people: each is a row of the transaction that wants it sent, and a job sends it.

-- Spread like the jobs that send them, and for the same reason without a foreign key.
create table kernel.mails (
  shard integer not null check (shard >= 0),
  id uuid not null,
  -- Both null: a mail of the whole installation, such as the one that a person needs to sign in.
  business_id uuid,
  environment text check (environment in ('live', 'test')),
  -- kept: not sent, because there is no mail server or the mail is of a sandbox.
  state text not null check (state in ('queued', 'sent', 'failed', 'kept')),
  recipients text[] not null check (cardinality(recipients) between 1 and 50),
  -- Those of the recipients of whom the mail server has spoken, once and for all.
  accepted text[] not null,
  refused text[] not null,
  reply_to text,
  -- Stands before the address of the sender, which is the installation's.
  sender_name text,
  subject text not null check (length(subject) between 1 and 500),
  -- Null once the content is wiped.
  body_text text,
  body_html text,
  -- Opens something for whoever reads it, so it is wiped as soon as it is sent.
  is_secret boolean not null,
  -- Without the brackets. Chosen with the first attempt and then the same for ever, so that a
  -- repeat can be told from a second mail.
  message_id text,
  attempts integer not null check (attempts >= 0),
  attempted_at timestamptz,
  -- What stood in the way of the last attempt, or why it failed.
  problem text,
  created_at timestamptz not null,
  ended_at timestamptz,
  wiped_at timestamptz,
  primary key (shard, id),
  check ((business_id is null) = (environment is null)),
  check ((state = 'queued') = (ended_at is null)),
  check ((body_text is null) = (wiped_at is not null)),
  check (wiped_at is null or (body_html is null and ended_at is not null)),
  check (accepted <@ recipients and refused <@ recipients and not accepted && refused),
  check (state <> 'sent' or accepted @> recipients),
  check (state <> 'failed' or problem is not null)
);

create index mails_of_business on kernel.mails (business_id, environment, created_at);

create index mails_created on kernel.mails (created_at);

create index mails_queued on kernel.mails (created_at)
where state = 'queued';

create index mails_to_wipe on kernel.mails (ended_at)
where wiped_at is null and ended_at is not null;

-- Deleted when the mail is wiped. Apart from it, so that looking through mails reads no files.
create table kernel.mail_attachments (
  shard integer not null,
  mail_id uuid not null,
  position integer not null check (position >= 0),
  filename text not null check (length(filename) between 1 and 200),
  content_type text not null,
  content bytea not null,
  primary key (shard, mail_id, position),
  foreign key (shard, mail_id) references kernel.mails (shard, id) on delete cascade
);
