-- A delivery is on its way when the queue has a time for it, and has arrived when the log has a
-- success. Saying both once more in its row meant one more update, with all its indexes, for every
-- delivery that went well. The row now says only what neither of them does.
alter table kernel.webhook_deliveries
  -- held: until its endpoint is switched on. dead_lettered: after the last attempt. ended: with its
  -- endpoint. Null: it is on its way, or has arrived.
  add column stopped_as text check (stopped_as in ('held', 'dead_lettered', 'ended'));

update kernel.webhook_deliveries
set stopped_as = state
where state in ('held', 'dead_lettered', 'ended');

-- Their indexes and checks go with them.
alter table kernel.webhook_deliveries
  drop column state,
  drop column ended_at;

create index webhook_deliveries_held
  on kernel.webhook_deliveries (business_id, environment, endpoint_id)
  where stopped_as = 'held';

create index webhook_deliveries_dead
  on kernel.webhook_deliveries (business_id, environment, endpoint_id, id)
  where stopped_as = 'dead_lettered';

-- What a claim writes is in no index, and each page has room, so that it is written in its place.
-- The pages stay when the queue is empty: a plan that was made for none would be kept, and read all
-- that waits for each delivery.
alter table kernel.webhook_queue
  -- Whether the log, or the delivery's own row, may say anything about it.
  add column is_tried boolean not null default true,
  add column leased_until timestamptz,
  set (fillfactor = 60, vacuum_truncate = off);

-- By endpoint alone, which has its tenant and shard. What the server knows of a queue's size is old
-- whenever it matters, and an index that began like the primary key was then as good to it: all
-- that waited was read to find one delivery.
drop index kernel.webhook_queue_due;

create index webhook_queue_due
  on kernel.webhook_queue (endpoint_id, run_at);
