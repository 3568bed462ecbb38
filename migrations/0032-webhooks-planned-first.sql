-- What the schedule wants is sent before what somebody asked to have sent again: a replay of a long
-- time would otherwise keep what happens now waiting. By when it was planned, so that no other
-- index has this order.
create index webhook_queue_planned
  on kernel.webhook_queue (endpoint_id, scheduled_at)
  where scheduled_at is not null;
