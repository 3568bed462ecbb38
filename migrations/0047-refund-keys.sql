-- Whether refunds of the business take an Idempotency-Key. The interface says that they do not, so
-- a business has to switch it on.
alter table merchant.profiles
  add column takes_refund_keys boolean not null default false;
