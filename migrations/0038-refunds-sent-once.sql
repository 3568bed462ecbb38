-- A refund that was asked for directly is sent once. Without an answer it is only looked up:
-- `first_absent_at` is the first look-up that did not find it, and `given_up_at` the one, a day
-- later or more, that ended it as failed. If the provider shows it after that, it is adopted.
alter table merchant.refunds
  add column lookup_only boolean not null default false,
  add column first_absent_at timestamptz,
  add column given_up_at timestamptz;

-- Refunds without an answer at the time of the upgrade, automatic ones too, are only looked up.
update merchant.refunds
set lookup_only = true
where status = 'pending'
  and sends > 0
  and failure_reason is null;

create index refunds_given_up
  on merchant.refunds (next_look_at)
  where status = 'failed' and given_up_at is not null;
