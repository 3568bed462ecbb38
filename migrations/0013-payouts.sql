-- Paying out: what merchants take of their settled money, to their own bank account or to their
-- wallet inside the service. Amounts are minor units of the currency beside them.

create table merchant.payouts (
  business_id uuid not null references merchant.profiles (business_id),
  -- The sandbox has no payouts.
  environment text not null check (environment = 'live'),
  id uuid not null,
  -- pending: waits for a second person; processing: is being sent, or was; the rest has ended.
  status text not null check (status in (
    'pending', 'processing', 'completed', 'failed', 'cancelled')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount_minor bigint not null check (amount_minor > 0),
  -- What was left of the balance, everything promised counted, when this was promised too.
  left_minor bigint not null check (left_minor >= 0),
  destination_type text not null check (destination_type in ('service_account', 'provider_bank')),
  -- The settlement account as it was then, so that sending again sends to the same place. The
  -- number is sealed, bound to this row; its last digits are for people.
  bank_code text,
  account_sealed bytea,
  account_ending text,
  beneficiary_name text,
  requested_by_kind text not null check (requested_by_kind in ('key', 'person')),
  requested_by text not null,
  approval_id uuid,
  -- Our name for the transfer at the provider, and the provider's own.
  provider_reference text,
  provider_transfer_id text,
  -- What the provider took for it; the platform's cost.
  fee_minor bigint check (fee_minor >= 0),
  failure_reason text,
  -- Counted before each send, so that a crash while sending cannot be taken for none.
  sends integer not null default 0,
  sent_at timestamptz,
  -- When the provider refused a second send. That may be one of the duplicate, so it ends nothing.
  refused_at timestamptz,
  -- When the provider is asked about it again; null is never.
  next_look_at timestamptz,
  ended_at timestamptz,
  -- When the provider said the opposite of what the payout had ended with.
  contradicted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, environment, id),
  check ((status in ('completed', 'failed', 'cancelled')) = (ended_at is not null)),
  check ((status = 'failed') = (failure_reason is not null)),
  check ((status = 'completed') = (fee_minor is not null)),
  check (num_nonnulls(bank_code, account_sealed, account_ending, beneficiary_name,
    provider_reference) = case destination_type when 'provider_bank' then 5 else 0 end),
  -- Only what was held can still be cancelled, and nothing that may have been sent is.
  check (status not in ('pending', 'cancelled') or (approval_id is not null and sends = 0)),
  check ((sends = 0) = (sent_at is null)),
  check (contradicted_at is null or ended_at is not null)
);

-- What is promised: summed up under the lock of the balance whenever more is asked for.
create index payouts_reserved
  on merchant.payouts (business_id, environment, currency)
  include (amount_minor)
  where status in ('pending', 'processing');

create index payouts_to_look_at
  on merchant.payouts (next_look_at)
  where next_look_at is not null;

-- One transfer at the provider is one of ours.
create unique index payouts_at_provider
  on merchant.payouts (business_id, environment, provider_transfer_id);

-- What was held ends when whoever asked takes it back.
alter table merchant.approvals
  drop constraint approvals_state_check;

alter table merchant.approvals
  add constraint approvals_state_check
  check (state in ('pending', 'approved', 'rejected', 'expired', 'void', 'withdrawn'));
