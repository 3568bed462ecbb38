-- Settlements are read in the order in which payments settled, in pages that start after the last
-- row of the page before; the recipient's index serves whoever asks for one recipient only.

create index payments_settled
  on merchant.payments (business_id, environment, settled_at, id)
  where settled_at is not null;

create index payments_settled_by_recipient
  on merchant.payments (business_id, environment, split_recipient_id, settled_at, id)
  where settled_at is not null and split_recipient_id is not null;

-- Whom the link or code names and who got nothing, because they were disabled or not known to the
-- provider when the payer pressed Pay: the charge settles to the merchant alone.
alter table merchant.payments
  add column passed_over_recipient_id uuid,
  -- So whatever settled has its fee and its net.
  add check (settled_at is null or succeeded_at is not null),
  add check (num_nonnulls(split_recipient_id, passed_over_recipient_id) <= 1),
  add foreign key (business_id, environment, passed_over_recipient_id)
    references merchant.split_recipients (business_id, environment, id);
