-- What a person says the provider calls a refund, where its list left open which entry that is.
-- The refund is then never sent again: it becomes what that entry says.

alter table merchant.refunds
  add column named_entry text;
