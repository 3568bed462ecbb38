-- By which rule a recipient's share was computed. `of_charge` is a percentage of the charge. Null
-- is the rule before this column: a percentage of what the fee left. A payment keeps its share for
-- ever, and the invariants judge it by the rule that it names.
alter table merchant.payments
  add column split_rule text check (split_rule = 'of_charge'),
  add check (split_rule is null or split_minor is not null);
