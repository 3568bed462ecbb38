-- Two more thresholds that a business may set: the sum of a day's payouts, and by how much a refund
-- may overdraw the balance before a second person has to agree.
alter table merchant.approval_thresholds
  drop constraint approval_thresholds_operation_check,
  add constraint approval_thresholds_operation_check
    check (operation in ('refund', 'payout', 'daily_payouts', 'overdraft'));

-- The daily limit that let a payout through without a second person; null where none was set.
alter table merchant.payouts
  add column daily_limit_minor bigint check (daily_limit_minor >= 0);

-- By how much the balance could still be overdrawn after a refund that went through without a
-- second person; null where no such limit was set.
alter table merchant.refunds
  add column overdraft_left_minor bigint check (overdraft_left_minor >= 0);
