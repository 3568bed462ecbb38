-- expand
-- The random part of the address of a payment's receipt. Older payments have none.
alter table merchant.payments
  add column receipt_key text;
