-- Passkeys belong to a person and so to no tenant.
create table kernel.passkeys (
  person_id uuid not null references kernel.people (id) on delete cascade,
  id uuid not null,
  -- Chosen by the authenticator, which names it when the person signs in.
  credential_id text not null,
  public_key bytea not null,
  -- How often it was used, if the authenticator counts.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  constraint passkeys_pkey primary key (person_id, id),
  constraint passkeys_credential_key unique (credential_id),
  constraint passkeys_name_check check (length(name) between 1 and 100)
);

-- Challenges that were answered. Each is answered once.
create table kernel.spent_challenges (
  challenge_hash bytea not null,
  expires_at timestamptz not null,
  constraint spent_challenges_pkey primary key (challenge_hash)
);
create index spent_challenges_expiry on kernel.spent_challenges (expires_at);
