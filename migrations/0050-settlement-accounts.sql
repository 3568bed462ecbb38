-- A business can have a settlement account for each currency, and one for all other currencies
-- ('*'). Changing one needs a second person: until then the new account is in
-- settlement_account_requests.

alter table merchant.settlement_accounts
  -- The sandbox has no payouts.
  add column environment text not null default 'live',
  -- The sealed number is bound to it.
  add column id uuid,
  add column currency text not null default '*',
  -- The holder as the bank knows them; null if the provider could not tell.
  add column holder_name text;

update merchant.settlement_accounts
set id = business_id;

alter table merchant.settlement_accounts
  alter column id set not null,
  alter column environment drop default,
  alter column currency drop default,
  drop constraint settlement_accounts_pkey;

alter table merchant.settlement_accounts
  add constraint settlement_accounts_pkey primary key (business_id, environment, id);

alter table merchant.settlement_accounts
  add constraint settlement_accounts_currency_key unique (business_id, environment, currency);

alter table merchant.settlement_accounts
  add constraint settlement_accounts_environment_check check (environment = 'live');

alter table merchant.settlement_accounts
  add constraint settlement_accounts_currency_check check (currency ~ '^([A-Z]{3}|[*])$');

create table merchant.settlement_account_requests (
  business_id uuid not null references merchant.profiles (business_id),
  environment text not null,
  -- The approval that decides about it. The sealed number is bound to it.
  id uuid not null,
  currency text not null,
  bank_code text not null,
  account_sealed bytea not null,
  beneficiary_name text not null,
  holder_name text,
  created_at timestamptz not null,
  constraint settlement_account_requests_pkey primary key (business_id, environment, id),
  constraint settlement_account_requests_approval foreign key (business_id, environment, id)
    references merchant.approvals (business_id, environment, id),
  constraint settlement_account_requests_currency_check check (currency ~ '^([A-Z]{3}|[*])$')
);

alter table merchant.approvals
  drop constraint approvals_operation_check;

alter table merchant.approvals
  add constraint approvals_operation_check
  check (operation in (
    'refund', 'payout', 'threshold', 'settlement_account', 'role', 'second_factor'));
