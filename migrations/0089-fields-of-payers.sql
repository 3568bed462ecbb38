-- expand
-- What a link asks its payers for beside the e-mail address, such as {"phone": "required"}, and
-- what they answered.
alter table merchant.payment_links
  add column payer_fields jsonb not null default '{}';

alter table merchant.payments
  add column payer_answers jsonb;
