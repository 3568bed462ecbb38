-- Every charge and payout names the provider that it went to. Null is for rows from before this was
-- kept with proof of a real provider: the payer was sent to a page that is not the simulator's, and
-- the simulator, which keeps every transaction it makes in this database, does not know theirs.
alter table merchant.payments
  add column provider text;

alter table merchant.payouts
  add column provider text;

update merchant.payments as payment
set provider = 'simulator'
from (
  select business_id, tx_ref
  from simulator.checkouts
  where environment = 'live'
  union
  select business_id, tx_ref
  from simulator.charges
  where environment = 'live'
) as made
join kernel.businesses as business
  on business.id::text = made.business_id
where payment.business_id = business.id
  and payment.environment = 'live'
  and payment.provider_reference = made.tx_ref;

update merchant.payments
set provider = 'simulator'
where environment = 'live'
  and provider is null
  and provider_transaction_id is not null
  and subscription_id is null
  and (checkout_url is null or checkout_url like '%/simulator/%');

update merchant.payouts as payout
set provider = 'simulator'
from simulator.transfers as made
join kernel.businesses as business
  on business.id::text = made.business_id
where made.environment = 'live'
  and payout.business_id = business.id
  and payout.environment = 'live'
  and payout.provider_reference = made.reference;

-- The real provider of this database, if there was ever one: from then on the simulator serves no
-- live key of a business that is not a demo, whatever the settings say. `separated_at` is when the
-- money of the simulator was moved to separate ledger accounts; null is not yet.
create table merchant.live_provider (
  id smallint primary key check (id = 1),
  name text not null,
  recorded_at timestamptz not null,
  separated_at timestamptz
);

insert into merchant.live_provider (id, name, recorded_at)
select 1, 'flutterwave', payment.created_at
from merchant.payments as payment
join kernel.businesses as business
  on business.id = payment.business_id
where payment.environment = 'live'
  and payment.provider is null
  and payment.provider_transaction_id is not null
  and not business.is_demo
limit 1;
