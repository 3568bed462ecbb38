-- The merchant service's picture of a business. A business has one profile, in both environments.

create table merchant.profiles (
  business_id uuid primary key references kernel.businesses (id),
  country text not null check (country ~ '^[A-Z]{2}$'),
  contact_email text not null,
  contact_phone text,
  kyc_status text not null check (kyc_status in ('unverified', 'pending', 'verified', 'rejected')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table merchant.verification_documents (
  business_id uuid not null references merchant.profiles (business_id),
  id uuid not null,
  kind text not null,
  submitted_at timestamptz not null,
  primary key (business_id, id)
);

create table merchant.beneficial_owners (
  business_id uuid not null references merchant.profiles (business_id),
  id uuid not null,
  name text not null,
  verified_at timestamptz,
  created_at timestamptz not null,
  primary key (business_id, id)
);

-- The one bank destination that payouts may go to. The number is sealed, bound to this row.
create table merchant.settlement_accounts (
  business_id uuid primary key references merchant.profiles (business_id),
  bank_code text not null,
  account_number_sealed bytea not null,
  beneficiary_name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
