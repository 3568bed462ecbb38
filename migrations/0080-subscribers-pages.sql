-- contract: an older version adds subscriptions without a page.
-- Every subscription has a page on which its subscriber sees, changes and cancels it. The address
-- of the page cannot be guessed from the id of the subscription, which API keys and webhooks know.
create table merchant.subscriber_pages (
  business_id uuid not null,
  environment text not null,
  subscription_id uuid not null,
  -- Replaced when the business renews the address.
  public_id uuid not null,
  created_at timestamptz not null,
  constraint subscriber_pages_pkey primary key (business_id, environment, subscription_id),
  constraint subscriber_pages_by_public_id unique (business_id, environment, public_id),
  constraint subscriber_pages_subscription_fkey
    foreign key (business_id, environment, subscription_id)
    references merchant.subscriptions (business_id, environment, id)
);

insert into merchant.subscriber_pages (
  business_id, environment, subscription_id, public_id, created_at
)
select business_id, environment, id, gen_random_uuid(), created_at
from merchant.subscriptions;

-- A payment that checks a new card of a subscription. It is refunded as soon as it has succeeded.
alter table merchant.payments
  add column card_subscription_id uuid;

alter table merchant.payments
  drop constraint payments_one_purpose_check;

alter table merchant.payments
  add constraint payments_one_purpose_check
  check (num_nonnulls(
    payment_link_id, qr_code_id, subscription_id, invoice_id, card_subscription_id) = 1);

alter table merchant.payments
  add constraint payments_card_subscription_fkey
  foreign key (business_id, environment, card_subscription_id)
  references merchant.subscriptions (business_id, environment, id);

-- One check of a card at a time for each subscription.
create unique index payments_checking_card
  on merchant.payments (business_id, environment, card_subscription_id)
  where card_subscription_id is not null and status in ('pending', 'processing');

alter table merchant.refunds
  drop constraint refunds_cause_check;

alter table merchant.refunds
  add constraint refunds_cause_check
  check (cause in (
    'requested', 'late_success', 'overpayment', 'repeated_charge', 'card_check'));

-- What payers recognise a card by.
alter table merchant.payments
  add column card_last4 text;

alter table merchant.payments
  add column card_brand text;

alter table merchant.payments
  add constraint payments_card_last4_check
  check (card_last4 ~ '^[0-9]{4}$');

alter table merchant.subscriptions
  add column card_last4 text;

alter table merchant.subscriptions
  add column card_brand text;

-- The payment that the saved card comes from. The card of a newer payment replaces it, that of an
-- older one does not. Null for cards from before this was kept.
alter table merchant.subscriptions
  add column card_payment_id uuid;

-- The language in which the payer read the page, such as fr-CA.
alter table merchant.payments
  add column payer_locale text;

alter table merchant.payments
  add constraint payments_payer_locale_check
  check (payer_locale ~ '^[a-z]{2}(-[A-Z]{2})?$');

alter table merchant.subscriptions
  add column payer_locale text;

alter table merchant.subscriptions
  add constraint subscriptions_payer_locale_check
  check (payer_locale ~ '^[a-z]{2}(-[A-Z]{2})?$');
