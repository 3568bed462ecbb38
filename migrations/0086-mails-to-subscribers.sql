-- expand
-- Mails about subscriptions. A business that has switched receipts on keeps those of renewals; the
-- others are new, so it has to switch them on. A new business starts with all of them.
alter table merchant.profiles
  add column mails_renewals boolean not null default false;

alter table merchant.profiles
  add column mails_subscription_starts boolean not null default false;

alter table merchant.profiles
  add column mails_failed_renewals boolean not null default false;

alter table merchant.profiles
  add column mails_subscription_ends boolean not null default false;

update merchant.profiles
set mails_renewals = mails_receipts;

-- What payers were mailed: one row for each fact and recipient.
create table merchant.payer_mails (
  business_id uuid not null,
  environment text not null,
  kind text not null,
  -- The payment, refund or subscription.
  fact_id uuid not null,
  recipient text not null,
  -- In kernel.mails.
  mail_id uuid not null,
  created_at timestamptz not null,
  constraint payer_mails_pkey primary key (business_id, environment, kind, fact_id, recipient),
  constraint payer_mails_by_mail unique (business_id, environment, mail_id),
  constraint payer_mails_kind_check check (kind in (
    'receipt', 'refund', 'subscription_start', 'failed_renewal', 'subscription_end'))
);
