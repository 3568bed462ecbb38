-- The books of a business: one set for each environment.

create table books.organisations (
  business_id uuid not null references kernel.businesses (id),
  environment text not null check (environment in ('live', 'test')),
  base_currency text not null check (base_currency ~ '^[A-Z]{3}$'),
  default_payment_terms_days integer not null check (default_payment_terms_days between 0 and 3650),
  created_at timestamptz not null,
  primary key (business_id, environment)
);

create table books.accounts (
  business_id uuid not null,
  environment text not null,
  id uuid not null,
  code text not null check (length(code) between 1 and 20),
  name text not null check (length(name) between 1 and 160),
  type text not null check (type in ('asset', 'liability', 'equity', 'income', 'expense')),
  subtype text not null,
  -- System accounts are those that postings name by their subtype; they cannot be removed.
  is_system boolean not null,
  active boolean not null,
  created_at timestamptz not null,
  primary key (business_id, environment, id),
  unique (business_id, environment, code),
  foreign key (business_id, environment) references books.organisations (business_id, environment)
);

create table books.contacts (
  business_id uuid not null,
  environment text not null,
  id uuid not null,
  name text not null check (length(name) between 1 and 160),
  is_customer boolean not null,
  is_supplier boolean not null,
  email text,
  phone text,
  tax_number text,
  -- Null means the base currency of the organisation.
  currency text check (currency ~ '^[A-Z]{3}$'),
  payment_terms_days integer not null check (payment_terms_days between 0 and 3650),
  active boolean not null,
  created_at timestamptz not null,
  primary key (business_id, environment, id),
  foreign key (business_id, environment) references books.organisations (business_id, environment)
);

-- The collation is named, since the one of the database differs from server to server.
create index contacts_by_name
  on books.contacts (business_id, environment, lower(name collate "und-x-icu"), id);
