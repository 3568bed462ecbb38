-- The charges of a subscription, failed ones too, newest first.
create index payments_by_subscription
  on merchant.payments (business_id, environment, subscription_id, id)
  where subscription_id is not null;
