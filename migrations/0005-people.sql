-- People who sign in, how they prove who they are, and what they are in which business.
-- People, sessions and proofs belong to no tenant: one person may work for several businesses.
-- better-auth reads and writes the first five tables through names given in people-auth.ts; a
-- test compares its model with these columns. On Citus people is a reference table, the other
-- tables without a tenant stay local, and memberships is distributed by business.

create table kernel.people (
  id uuid primary key,
  email text not null unique check (email = lower(email) and length(email) between 3 and 320),
  email_verified boolean not null,
  name text not null check (length(name) between 1 and 200),
  image text,
  two_factor_enabled boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table kernel.sessions (
  id uuid primary key,
  person_id uuid not null references kernel.people (id) on delete cascade,
  -- Worthless alone: the cookie carries it with a signature, whose key is not in this table.
  token text not null unique,
  ip_address text,
  user_agent text,
  -- The end whatever happens; a session that nobody uses ends sooner, by last_seen_at.
  expires_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- When the second factor was proven in this session; null when it never was.
  second_factor_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index on kernel.sessions (person_id);

-- better-auth calls these accounts. Ours hold passwords only; the columns for tokens of other
-- identity providers are part of its model and stay empty.
create table kernel.credentials (
  id uuid primary key,
  person_id uuid not null references kernel.people (id) on delete cascade,
  provider_id text not null,
  account_id text not null,
  -- argon2id, in the PHC string format.
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (provider_id, account_id)
);
create index on kernel.credentials (person_id);

-- Sign-ins that wait for the second factor, and how often it was tried.
create table kernel.verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index on kernel.verifications (identifier);
create index on kernel.verifications (expires_at);

create table kernel.two_factors (
  id uuid primary key,
  person_id uuid not null unique references kernel.people (id) on delete cascade,
  -- Both encrypted with the secret in kernel.people_secrets.
  secret text not null,
  backup_codes text not null,
  verified boolean not null,
  failed_verification_count integer not null default 0,
  locked_until timestamptz,
  -- The time step of the last code that was accepted: that code, and older ones, are spent.
  last_totp_step integer
);

-- The one secret that signs cookies and encrypts TOTP seeds, sealed under SECRETS_KEY. It is made
-- once and kept, so that a new SECRETS_KEY locks nobody out.
create table kernel.people_secrets (
  id integer primary key check (id = 1),
  sealed bytea not null
);

-- Tries to sign in, counted per e-mail address and per network address, both hashed: a password
-- typed into the wrong field must not be stored here.
create table kernel.sign_in_attempts (
  subject_hash bytea primary key check (length(subject_hash) = 32),
  window_started_at timestamptz not null,
  count integer not null
);
create index on kernel.sign_in_attempts (window_started_at);

create table kernel.memberships (
  business_id uuid not null references kernel.businesses (id),
  person_id uuid not null references kernel.people (id),
  role text not null check (role in ('owner', 'admin', 'approver', 'member', 'viewer')),
  created_at timestamptz not null,
  primary key (business_id, person_id)
);
create index on kernel.memberships (person_id);
