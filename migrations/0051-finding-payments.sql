-- Payments are found by payer, amount, method and reference, and summed up by payer and by day,
-- among millions. Addresses and names are compared byte by byte, so that what begins with some text
-- is one range of the index. The amounts are part of the index of payers, because a list of payers
-- sums them up.
drop index merchant.payments_by_payer;

create index payments_by_payer
  on merchant.payments (business_id, environment, (lower(payer_email) collate "C"), id)
  include (status, currency, amount_minor, refunded_minor);

create index payments_by_payer_name
  on merchant.payments (business_id, environment, (lower(payer_name) collate "C"), id)
  where payer_name is not null;

create index payments_by_amount
  on merchant.payments (business_id, environment, amount_minor, id);

-- Most payments are by card; those are found quickly without an index.
create index payments_by_other_method
  on merchant.payments (business_id, environment, method, id)
  where method <> 'card';

create index payments_by_success
  on merchant.payments (business_id, environment, succeeded_at)
  include (currency, amount_minor, fee_minor, split_minor)
  where succeeded_at is not null;

create index payment_links_by_reference
  on merchant.payment_links (business_id, environment, reference)
  where reference is not null;

create index qr_codes_by_reference
  on merchant.qr_codes (business_id, environment, reference)
  where reference is not null;
