-- Managing people: when someone else reset a person's second factor, and approvals of higher roles
-- and of such resets, which the operator can ask for too.

-- For a day after this moment the person approves nothing. Null when the person did it, or no one.
alter table kernel.people
  add column second_factor_reset_at timestamptz;

alter table merchant.approvals
  drop constraint approvals_operation_check,
  drop constraint approvals_requested_by_kind_check,
  add constraint approvals_operation_check
    check (operation in ('refund', 'payout', 'threshold', 'role', 'second_factor')),
  add constraint approvals_requested_by_kind_check
    check (requested_by_kind in ('key', 'person', 'system'));
