-- The merchant's own name and notes for a link or a code; payments show those of what was paid.
alter table merchant.payment_links
  add column reference text,
  add column metadata jsonb not null default '{}';

alter table merchant.qr_codes
  add column reference text,
  add column metadata jsonb not null default '{}';

-- How the payer paid, in the provider's word, such as card. Null until the payment has succeeded,
-- and for payments that succeeded before this was kept.
alter table merchant.payments
  add column method text;

create index payments_by_link
  on merchant.payments (business_id, environment, payment_link_id, id)
  where payment_link_id is not null;

create index payments_by_qr_code
  on merchant.payments (business_id, environment, qr_code_id, id)
  where qr_code_id is not null;

create index payments_by_payer
  on merchant.payments (business_id, environment, lower(payer_email), id);
