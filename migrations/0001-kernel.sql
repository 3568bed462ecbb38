-- The tenant, its API keys, the events it publishes and the idempotency keys it used.
-- The tenant id comes first in every key of tenant data, so that the same schema can be
-- distributed by tenant. Ids and timestamps are made by the application.

create schema if not exists kernel;
create schema merchant;
create schema books;

create table kernel.businesses (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  is_demo boolean not null,
  created_at timestamptz not null
);

create table kernel.api_keys (
  business_id uuid not null references kernel.businesses (id),
  id uuid not null,
  service text not null check (service in ('merchant', 'books')),
  environment text not null check (environment in ('live', 'test')),
  name text not null check (length(name) between 1 and 100),
  -- What a person sees in a list: the prefix and the last four characters.
  hint text not null,
  secret_hash bytea not null check (length(secret_hash) = 32),
  scopes text[] not null,
  -- CIDR ranges; empty means every address.
  allowed_addresses text[] not null,
  created_by uuid,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  -- The key that this one replaces, when it was made by a rotation.
  replaces_id uuid,
  primary key (business_id, id),
  unique (business_id, secret_hash),
  foreign key (business_id, replaces_id) references kernel.api_keys (business_id, id)
);

-- One row that only the right SECRETS_KEY can open; read at every start.
create table kernel.secrets_canary (
  id integer primary key check (id = 1),
  sealed bytea not null
);

create table kernel.events (
  business_id uuid not null references kernel.businesses (id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  service text not null check (service in ('merchant', 'books')),
  type text not null,
  object_id uuid not null,
  data jsonb not null,
  created_at timestamptz not null,
  primary key (business_id, environment, id)
);

-- The unique key is the idempotency: it is inserted in the transaction of the effect, so a
-- concurrent repeat waits for the first and then finds its object here. Keys never expire.
create table kernel.idempotency_keys (
  business_id uuid not null references kernel.businesses (id),
  environment text not null check (environment in ('live', 'test')),
  operation text not null,
  key text not null,
  object_id uuid not null,
  created_at timestamptz not null,
  primary key (business_id, environment, operation, key)
);
