-- A customer is a payer, known by the e-mail address. Their subscriptions are found by it, as their
-- payments are.
create index subscriptions_by_payer
  on merchant.subscriptions (business_id, environment, (lower(payer_email) collate "C"), id);
