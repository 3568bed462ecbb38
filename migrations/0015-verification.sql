-- The verification of a business: what it says about itself (the dossier), what proves it, and the
-- sessions in which its owner hands that in. Live and test are separate: what is done with a test
-- key is a rehearsal, and only live decisions reach `profiles.kyc_status`.

create table merchant.verification_sessions (
  business_id uuid not null references merchant.profiles (business_id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  status text not null
    check (status in ('open', 'submitted', 'verified', 'rejected', 'expired')),
  -- Whoever has the address may fill in the dossier. Only the hash is compared; what is sealed is
  -- the same token, so that asking again gives the same address.
  token_hash bytea not null,
  token_sealed bytea not null,
  -- The check that a living person sits there: who it is, and under which number it was asked for.
  identity_owner_id uuid,
  identity_attempts integer not null,
  identity_status text not null
    check (identity_status in ('none', 'waiting', 'passed', 'failed')),
  rejection_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  submitted_at timestamptz,
  decided_at timestamptz,
  -- When the verifier is asked next; only what is submitted has one.
  next_look_at timestamptz,
  primary key (business_id, environment, id),
  check ((status = 'submitted') = (next_look_at is not null)),
  check ((status = 'rejected') = (rejection_reason is not null)),
  check ((status in ('verified', 'rejected')) = (decided_at is not null))
);

-- One at a time, so that two people do not hand in two truths.
create unique index verification_sessions_current
  on merchant.verification_sessions (business_id, environment)
  where status in ('open', 'submitted');

create index verification_sessions_to_look_at
  on merchant.verification_sessions (next_look_at)
  where status = 'submitted';

create table merchant.verification_details (
  business_id uuid not null references merchant.profiles (business_id),
  environment text not null check (environment in ('live', 'test')),
  legal_name text not null,
  kind text not null check (kind in ('sole_trader', 'partnership', 'company', 'non_profit')),
  registration_number text,
  street text not null,
  city text not null,
  activity text not null,
  updated_at timestamptz not null,
  primary key (business_id, environment)
);

-- Rows from before have no content: they were counted, not kept.
alter table merchant.verification_documents
  alter column submitted_at drop not null,
  add column environment text not null default 'live' check (environment in ('live', 'test')),
  add column file_name text,
  add column content_type text,
  add column byte_count integer,
  add column sha256 bytea,
  add column uploaded_at timestamptz,
  -- What was once handed in is kept as it was judged, and only put aside.
  add column removed_at timestamptz;

-- Apart from the list of documents, which is read often and must stay small.
create table merchant.verification_document_contents (
  business_id uuid not null,
  document_id uuid not null,
  content_sealed bytea not null,
  primary key (business_id, document_id),
  foreign key (business_id, document_id)
    references merchant.verification_documents (business_id, id) on delete cascade
);

-- Sealed content does not compress.
alter table merchant.verification_document_contents
  alter column content_sealed set storage external;

alter table merchant.beneficial_owners
  add column environment text not null default 'live' check (environment in ('live', 'test')),
  add column born_on_sealed bytea,
  add column share_basis_points integer check (share_basis_points between 0 and 10000);

-- The simulated verifier.

create table simulator.identity_checks (
  business_id text not null,
  environment text not null,
  reference text not null,
  -- The person knows nothing but the page, so it is unique by itself.
  id uuid not null unique,
  person_name text not null,
  return_url text not null,
  status text not null check (status in ('waiting', 'passed', 'failed')),
  created_at timestamptz not null,
  primary key (business_id, environment, reference)
);

create table simulator.reviews (
  business_id text not null,
  environment text not null,
  reference text not null,
  decision text not null check (decision in ('verified', 'rejected')),
  reason text,
  -- Until then the review goes on.
  decided_at timestamptz not null,
  created_at timestamptz not null,
  primary key (business_id, environment, reference)
);

create table simulator.review_documents (
  business_id text not null,
  environment text not null,
  reference text not null,
  id uuid not null,
  sha256 text not null,
  primary key (business_id, environment, reference, id)
);
