-- Subscriptions: plans, who is subscribed to them, and their periods. Amounts are minor units of
-- the currency beside them; days are days in the plan's time zone.

-- A plan never changes: who subscribed agreed to what it says.
create table merchant.plans (
  business_id uuid not null references merchant.profiles (business_id),
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  name text not null check (length(name) between 1 and 140),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount_minor bigint not null check (amount_minor > 0),
  interval_unit text not null check (interval_unit in ('day', 'week', 'month', 'year')),
  interval_count integer not null check (interval_count between 1 and 366),
  time_zone text not null,
  created_at timestamptz not null,
  primary key (business_id, environment, id)
);

create table merchant.subscriptions (
  business_id uuid not null,
  environment text not null,
  id uuid not null,
  plan_id uuid not null,
  -- incomplete: the first charge is not collected; past_due: a renewal failed and is tried again.
  status text not null check (status in ('incomplete', 'active', 'past_due', 'cancelled')),
  payer_email text not null,
  payer_name text,
  -- What the provider gave us to charge the card again, bound to this row, and the address that it
  -- belongs to; null until a charge by card was collected.
  card_sealed bytea,
  card_email text,
  -- The day on which the first charge was collected: every period is counted from it.
  anchor_day date,
  -- The newest period that was begun. Numbers that were passed over were never charged.
  period integer not null check (period >= 1),
  -- When the worker sees to it next: a renewal, a retry, or a charge whose end is not known.
  next_at timestamptz,
  cancel_at_period_end boolean not null,
  cancelled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, environment, id),
  foreign key (business_id, environment, plan_id)
    references merchant.plans (business_id, environment, id),
  check ((card_sealed is null) = (card_email is null)),
  check ((status = 'cancelled') = (cancelled_at is not null)),
  check ((status in ('active', 'past_due')) = (next_at is not null)),
  check (status not in ('active', 'past_due') or anchor_day is not null)
);

create index subscriptions_due
  on merchant.subscriptions (next_at)
  where next_at is not null;

create index subscriptions_by_plan
  on merchant.subscriptions (business_id, environment, plan_id);

-- What one charge pays for. The row is there before the charge is made.
create table merchant.subscription_periods (
  business_id uuid not null,
  environment text not null,
  subscription_id uuid not null,
  number integer not null check (number >= 1),
  -- Of the first period, not known before it is paid.
  starts_on date,
  ends_before date,
  paid_at timestamptz,
  -- The newest charge that we made by ourselves, how often and when it was sent, and how many of
  -- ours have failed.
  payment_id uuid,
  sends integer not null check (sends >= 0),
  sent_at timestamptz,
  failures integer not null check (failures >= 0),
  created_at timestamptz not null,
  primary key (business_id, environment, subscription_id, number),
  foreign key (business_id, environment, subscription_id)
    references merchant.subscriptions (business_id, environment, id),
  check ((starts_on is null) = (ends_before is null)),
  check (starts_on < ends_before),
  check (starts_on is not null or number = 1),
  check (paid_at is null or starts_on is not null),
  check ((payment_id is null) = (sent_at is null))
);

alter table merchant.payments
  add column subscription_period integer,
  add check ((subscription_id is null) = (subscription_period is null)),
  add foreign key (business_id, environment, subscription_id, subscription_period)
    references merchant.subscription_periods (business_id, environment, subscription_id, number);

-- A period is charged once, whatever crashes and whoever tries: while a payment of it is open, and
-- after one was collected, there is no room for another.
create unique index payments_of_period
  on merchant.payments (business_id, environment, subscription_id, subscription_period)
  where subscription_id is not null and status not in ('failed', 'cancelled');
