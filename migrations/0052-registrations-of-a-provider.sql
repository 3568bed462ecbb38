-- What is registered at one provider is unknown to another: sub-accounts, saved cards, and the
-- verification of a business by the simulated verifier. Each names where it was made.
--
-- A recipient with a provider and without a sub-account was registered there once and has to be
-- registered again; nobody does that unasked (`sends` is 0).
alter table merchant.split_recipients
  add column provider text;

alter table merchant.subscriptions
  add column card_provider text;

alter table merchant.profiles
  add column kyc_simulated boolean not null default false;

update merchant.split_recipients
set provider = 'flutterwave'
where subaccount_id is not null;

update merchant.split_recipients
set provider = 'simulator'
where subaccount_id is not null
  and environment = 'test';

update merchant.split_recipients as recipient
set provider = 'simulator'
from simulator.subaccounts as made
join kernel.businesses as business
  on business.id::text = made.business_id
where made.environment = 'live'
  and recipient.business_id = business.id
  and recipient.environment = 'live'
  and recipient.subaccount_id = made.subaccount_id;

-- The last payment that was collected has left its card.
update merchant.subscriptions as subscription
set card_provider = coalesce(
  case when subscription.environment = 'test' then 'simulator' end,
  (
    select coalesce(payment.provider, 'flutterwave')
    from merchant.payments as payment
    where payment.business_id = subscription.business_id
      and payment.environment = subscription.environment
      and payment.subscription_id = subscription.id
      and payment.succeeded_at is not null
    order by payment.succeeded_at desc, payment.id desc
    limit 1
  ),
  'flutterwave')
where subscription.card_sealed is not null;

-- There was no other verifier, and the operator's decisions are in the audit log.
update merchant.profiles as profile
set kyc_simulated = true
where profile.kyc_status = 'verified'
  and exists (
    select
    from merchant.verification_sessions as session
    where session.business_id = profile.business_id
      and session.environment = 'live'
      and session.status = 'verified'
  )
  and not exists (
    select
    from kernel.audit_log as act
    where act.business_id = profile.business_id
      and act.action = 'business.set_kyc_status'
      and act.detail ->> 'to' = 'verified'
  );
