-- Taking money: links, QR codes, payments, refunds, approvals, fees, thresholds, and breaks (what
-- does not agree with the provider). Amounts are minor units of the currency beside them.

create table merchant.payment_links (
  business_id uuid not null references merchant.profiles (business_id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  state text not null check (state in ('active', 'disabled')),
  title text not null check (length(title) between 1 and 140),
  description text check (length(description) <= 500),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Fixed, suggested, or open (neither).
  amount_minor bigint check (amount_minor > 0),
  preset_amount_minor bigint check (preset_amount_minor > 0),
  expires_at timestamptz,
  image_url text,
  return_url text,
  split_recipient_id uuid,
  created_at timestamptz not null,
  primary key (business_id, environment, id)
);

create table merchant.qr_codes (
  business_id uuid not null references merchant.profiles (business_id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  state text not null check (state in ('active', 'used', 'disabled')),
  mode text not null check (mode in ('fixed_amount', 'open_amount')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount_minor bigint check (amount_minor > 0),
  description text check (length(description) <= 140),
  single_use boolean not null,
  return_url text,
  split_recipient_id uuid,
  -- The payment that holds a single-use code; it is released when that payment fails.
  reserved_by uuid,
  created_at timestamptz not null,
  primary key (business_id, environment, id),
  check ((mode = 'fixed_amount') = (amount_minor is not null)),
  check (single_use or (reserved_by is null and state <> 'used'))
);

create table merchant.payments (
  business_id uuid not null references merchant.profiles (business_id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  status text not null check (status in (
    'pending', 'processing', 'succeeded', 'partially_refunded', 'refunded', 'failed', 'cancelled')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount_minor bigint not null check (amount_minor > 0),
  refunded_minor bigint not null default 0 check (refunded_minor between 0 and amount_minor),
  -- Known when the payment succeeds; together they are the amount, to the minor unit.
  fee_minor bigint check (fee_minor >= 0),
  net_minor bigint,
  payment_link_id uuid,
  qr_code_id uuid,
  subscription_id uuid,
  split_recipient_id uuid,
  split_minor bigint check (split_minor >= 0),
  payer_email text not null,
  payer_name text,
  failure_reason text,
  -- Our name for the charge at the provider, and the provider's own.
  provider_reference text not null,
  provider_transaction_id text,
  -- The provider's page, and until when the payer can use it.
  checkout_url text,
  checkout_expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  succeeded_at timestamptz,
  settled_at timestamptz,
  primary key (business_id, environment, id),
  unique (business_id, environment, provider_reference),
  check (num_nonnulls(payment_link_id, qr_code_id, subscription_id) = 1),
  check (num_nonnulls(fee_minor, net_minor, succeeded_at) in (0, 3)),
  check (fee_minor + net_minor = amount_minor),
  check (status not in ('succeeded', 'partially_refunded', 'refunded') or succeeded_at is not null),
  check ((status = 'succeeded') <= (refunded_minor = 0)),
  check ((status = 'partially_refunded') <= (refunded_minor > 0 and refunded_minor < amount_minor)),
  check ((status = 'refunded') <= (refunded_minor = amount_minor)),
  check ((status = 'failed') = (failure_reason is not null)),
  foreign key (business_id, environment, payment_link_id)
    references merchant.payment_links (business_id, environment, id),
  foreign key (business_id, environment, qr_code_id)
    references merchant.qr_codes (business_id, environment, id)
);

-- What the poller looks at: payments whose end is not known.
create index payments_open
  on merchant.payments (checkout_expires_at)
  where status in ('pending', 'processing');

create index payments_by_status
  on merchant.payments (business_id, environment, status, id desc);

create table merchant.refunds (
  business_id uuid not null,
  environment text not null,
  id uuid not null,
  payment_id uuid not null,
  -- pending: recorded, the provider's answer is not known; accepted: the provider has it and will
  -- pay; settled: paid; failed: refused, nothing was posted; reversed: failed after acceptance.
  status text not null check (status in ('pending', 'accepted', 'settled', 'failed', 'reversed')),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Why: somebody asked, or the system had to give back what it should not have.
  cause text not null check (cause in ('requested', 'late_success', 'overpayment')),
  requested_by_kind text not null check (requested_by_kind in ('key', 'person', 'system')),
  requested_by text not null,
  approval_id uuid,
  provider_refund_id text,
  failure_reason text,
  -- How often it was sent; after a lost answer it is looked up before it is sent again.
  sends integer not null default 0,
  -- When the resolver asks the provider about it again; null is at once. Only while it is open.
  next_look_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, environment, id),
  foreign key (business_id, environment, payment_id)
    references merchant.payments (business_id, environment, id)
);

-- One refund of a payment at a time: the slower of two finds this in its way. What the system owes
-- may wait beside it; it is sent when nothing else is under way (see `isInFlight`).
create unique index refunds_in_flight
  on merchant.refunds (business_id, environment, payment_id)
  where status = 'pending' and cause = 'requested';

-- One refund at the provider is one of ours.
create unique index refunds_at_provider
  on merchant.refunds (business_id, environment, payment_id, provider_refund_id);

create index refunds_open
  on merchant.refunds (next_look_at nulls first)
  where status in ('pending', 'accepted');

create index refunds_by_payment
  on merchant.refunds (business_id, environment, payment_id, id);

create table merchant.fee_schedules (
  business_id uuid not null references merchant.profiles (business_id),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  basis_points integer not null check (basis_points between 0 and 10000),
  fixed_minor bigint not null check (fixed_minor >= 0),
  updated_at timestamptz not null,
  primary key (business_id, currency)
);

create table merchant.approval_thresholds (
  business_id uuid not null references merchant.profiles (business_id),
  operation text not null check (operation in ('refund', 'payout')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount_minor bigint not null check (amount_minor >= 0),
  updated_at timestamptz not null,
  primary key (business_id, operation, currency)
);

create table merchant.approvals (
  business_id uuid not null references merchant.profiles (business_id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  operation text not null check (operation in ('refund', 'payout')),
  state text not null check (state in ('pending', 'approved', 'rejected', 'expired')),
  -- The payment or payout that it is about, and a hash of everything that was resolved when it was
  -- asked for; an approval executes exactly that, or nothing.
  object_id uuid not null,
  request jsonb not null,
  request_hash bytea not null check (length(request_hash) = 32),
  requested_by_kind text not null check (requested_by_kind in ('key', 'person')),
  requested_by text not null,
  -- The person behind the request: who asked, or who made the key that asked.
  requester_person_id uuid,
  decided_by uuid,
  decided_at timestamptz,
  reason text,
  -- Set once, by the execution; there is never a second.
  executed_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (business_id, environment, id),
  check ((state in ('approved', 'rejected')) = (decided_by is not null)),
  check ((decided_by is null) = (decided_at is null)),
  -- Four eyes: nobody decides what they asked for.
  check (decided_by is distinct from requester_person_id or decided_by is null),
  check (executed_at is null or state = 'approved')
);

create index approvals_open
  on merchant.approvals (expires_at)
  where state = 'pending';

-- What does not agree with the provider, until somebody or something resolves it.
create table merchant.breaks (
  business_id uuid not null references merchant.profiles (business_id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  cause text not null,
  object_kind text not null,
  object_id uuid not null,
  detail jsonb not null,
  created_at timestamptz not null,
  resolved_at timestamptz,
  resolution text,
  primary key (business_id, environment, id),
  -- The same fact seen again is the same break.
  unique (business_id, environment, cause, object_kind, object_id),
  check ((resolved_at is null) = (resolution is null))
);

-- What the provider told us, kept as it came, one row a message; the truth is fetched afterwards.
create table merchant.provider_messages (
  id uuid primary key,
  environment text not null check (environment in ('live', 'test')),
  body text not null,
  received_at timestamptz not null
);

-- Whoever part of a charge can be routed to. The split is a percentage of what is left after the
-- fee; the account number is sealed, bound to this row.
create table merchant.split_recipients (
  business_id uuid not null references merchant.profiles (business_id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  external_reference text not null check (length(external_reference) between 1 and 200),
  name text not null check (length(name) between 1 and 200),
  bank_code text not null,
  account_number_sealed bytea not null,
  split_percent numeric not null check (split_percent between 1 and 100),
  mobile text,
  -- The provider's name for it; null until the provider has confirmed it.
  subaccount_id text,
  verified boolean not null,
  disabled boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, environment, id),
  unique (business_id, environment, external_reference)
);

alter table merchant.payment_links
  add foreign key (business_id, environment, split_recipient_id)
  references merchant.split_recipients (business_id, environment, id);

alter table merchant.qr_codes
  add foreign key (business_id, environment, split_recipient_id)
  references merchant.split_recipients (business_id, environment, id);

alter table merchant.payments
  add foreign key (business_id, environment, split_recipient_id)
  references merchant.split_recipients (business_id, environment, id);
