-- Since when a member has a role that can approve which no second owner confirmed. Such a member
-- can't approve for a day.
alter table kernel.memberships
  add column approval_held_at timestamptz;
