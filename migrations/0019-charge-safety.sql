-- Charges that no payment wanted, one row for each transaction of the provider; which part of a
-- chargeback the merchant bears; the fee as it was when Pay was pressed; and a second guard of what
-- may become of a payment.

-- A transaction that took money after the end of its payment, too little of it, in another
-- currency, or a second time. It is the source of its own ledger entries.
create table merchant.unmatched_charges (
  business_id uuid not null,
  environment text not null,
  id uuid not null,
  payment_id uuid not null,
  transaction_id text not null,
  cause text not null check (cause in (
    'late_success', 'underpayment', 'wrong_currency', 'repeated_charge')),
  currency text not null,
  -- Null in a currency that we do not know, of which nothing can be booked.
  amount_minor bigint check (amount_minor >= 0),
  created_at timestamptz not null,
  primary key (business_id, environment, id),
  -- What the provider says again is the same charge.
  unique (business_id, environment, payment_id, transaction_id),
  foreign key (business_id, environment, payment_id)
    references merchant.payments (business_id, environment, id)
);

-- Until now the break was the memory, and the entries had the payment as their source. Those that
-- are known stay known, under the id of their break, and without an amount, since there are no
-- entries under that id.
insert into merchant.unmatched_charges
  (business_id, environment, id, payment_id, transaction_id, cause, currency, amount_minor,
   created_at)
select
  business_id, environment, id, object_id, detail ->> 'transaction_id', cause,
  detail ->> 'currency', null, created_at
from merchant.breaks
where cause in ('late_success', 'underpayment', 'wrong_currency', 'repeated_charge')
  and object_kind = 'payment'
on conflict do nothing;

-- One cause may come of several transactions of one payment; empty where there is none.
alter table merchant.breaks
  add column transaction_id text not null default '',
  drop constraint breaks_business_id_environment_cause_object_kind_object_id_key,
  add unique (business_id, environment, cause, object_kind, object_id, transaction_id);

-- The transaction that is refunded where it is not the payment's own.
alter table merchant.refunds
  add column transaction_id text,
  drop constraint refunds_cause_check,
  add constraint refunds_cause_check
    check (cause in ('requested', 'late_success', 'overpayment', 'repeated_charge'));

-- At most the amount of the payment is the merchant's to give back; the rest was in suspense.
alter table merchant.chargebacks
  add column merchant_minor bigint;

update merchant.chargebacks
set merchant_minor = case when of_merchant then amount_minor else 0 end;

alter table merchant.chargebacks
  alter column merchant_minor set not null,
  add check (merchant_minor between 0 and amount_minor),
  drop column of_merchant;

-- The fee that holds for the payment, by the schedule that stood when Pay was pressed; null for
-- those that were begun before this was kept.
alter table merchant.payments
  add column agreed_fee_minor bigint check (agreed_fee_minor between 0 and amount_minor);

-- The second guard of a payment's life, behind the code that locks and looks. It is the same table
-- as in payment.ts, and a test compares the two. It runs only where the status changes.
create function merchant.check_payment_transition() returns trigger
language plpgsql as $$
begin
  if (old.status, new.status) in (
    ('pending', 'processing'), ('pending', 'succeeded'), ('pending', 'failed'),
    ('pending', 'cancelled'), ('processing', 'succeeded'), ('processing', 'failed'),
    ('succeeded', 'partially_refunded'), ('succeeded', 'refunded'),
    ('partially_refunded', 'refunded'), ('partially_refunded', 'succeeded'),
    ('refunded', 'partially_refunded'), ('refunded', 'succeeded')
  ) then
    return new;
  end if;
  raise exception 'payment % cannot become % after %', old.id, new.status, old.status
    using errcode = 'check_violation';
end
$$;

create trigger payments_follow_their_life
  before update on merchant.payments
  for each row
  when (old.status is distinct from new.status)
  execute function merchant.check_payment_transition();
