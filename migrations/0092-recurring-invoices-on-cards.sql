-- expand
-- A recurring invoice can be charged to the saved card of a subscription. The subscription then has
-- no next renewal any more, so an older version finds nothing to charge either.
alter table merchant.subscriptions
  add column schedule_id uuid;

alter table merchant.subscriptions
  drop constraint subscriptions_check2;

alter table merchant.subscriptions
  add constraint subscriptions_next_check
  check (
    (status in ('active', 'past_due') and schedule_id is null) = (next_at is not null)
  );

alter table merchant.subscriptions
  add constraint subscriptions_schedule_check
  check (schedule_id is null or status in ('active', 'cancelled'));

-- The charge of one period of a recurring schedule. The key makes a second one impossible.
create table merchant.schedule_charges (
  business_id uuid not null,
  environment text not null,
  -- Of the books, as are the number and the day of the period.
  schedule_id uuid not null,
  number integer not null,
  day date not null,
  subscription_id uuid not null,
  payment_id uuid not null,
  -- How often and when it was sent to the provider.
  sends integer not null,
  sent_at timestamptz not null,
  -- When it is looked up; null once its outcome is known.
  next_at timestamptz,
  created_at timestamptz not null,
  constraint schedule_charges_pkey primary key (business_id, environment, schedule_id, number),
  constraint schedule_charges_payment_key unique (business_id, environment, payment_id),
  constraint schedule_charges_sends_check check (sends >= 1)
);

alter table merchant.schedule_charges
  add constraint schedule_charges_payment_fkey
  foreign key (business_id, environment, payment_id)
  references merchant.payments (business_id, environment, id);

alter table merchant.schedule_charges
  add constraint schedule_charges_subscription_fkey
  foreign key (business_id, environment, subscription_id)
  references merchant.subscriptions (business_id, environment, id);

create index schedule_charges_by_subscription
  on merchant.schedule_charges (business_id, environment, subscription_id, day);

create index schedule_charges_due
  on merchant.schedule_charges (next_at)
  where next_at is not null;

-- The subscription whose card is charged, and the most that its customer agreed to.
alter table books.recurring_schedules
  add column subscription_id uuid;

alter table books.recurring_schedules
  add column charge_max_minor bigint;

alter table books.recurring_schedules
  add constraint recurring_schedules_card
  check ((subscription_id is null) = (charge_max_minor is null));

alter table books.recurring_schedules
  add constraint recurring_schedules_card_mode
  check (subscription_id is null or mode = 'send');

-- due: the card must be charged; charged: the payment service has the charge; left: it was not
-- charged, and the note says why.
alter table books.recurring_periods
  add column charge text;

alter table books.recurring_periods
  add column charge_note text;

alter table books.recurring_periods
  add constraint recurring_periods_charge
  check (charge in ('due', 'charged', 'left'));

alter table books.recurring_periods
  add constraint recurring_periods_charge_made
  check (charge is null or status = 'made');

create index recurring_periods_uncharged
  on books.recurring_periods (business_id, environment, schedule_id, number)
  where charge = 'due';
