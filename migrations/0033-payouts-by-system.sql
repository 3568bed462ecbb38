-- A job or a command of the operator may ask for a payout too, as it may for a refund. Above the
-- threshold it is refused, since a second person must know whose request it is.
alter table merchant.payouts
  drop constraint payouts_requested_by_kind_check,
  add constraint payouts_requested_by_kind_check
    check (requested_by_kind in ('key', 'person', 'system'));
