-- A delivery is on its way when the queue has a time for it, and has arrived when the log has a
-- success. Saying both once more in its row meant one more update, with all its indexes, for every
-- delivery that went well. The row now says only what neither of them does.
alter table kernel.webhook_deliveries
  drop constraint webhook_deliveries_state_check,
  drop constraint webhook_deliveries_check,
  alter column state drop not null;

drop index kernel.webhook_deliveries_open;

update kernel.webhook_deliveries
set state = null
where state in ('open', 'delivered');

alter table kernel.webhook_deliveries
  rename column state to stopped_as;

alter table kernel.webhook_deliveries
  -- held: until its endpoint is switched on. dead_lettered: after the last attempt. ended: with its
  -- endpoint. Null: it is on its way, or has arrived.
  add constraint webhook_deliveries_stopped_as_check
    check (stopped_as in ('held', 'dead_lettered', 'ended')),
  drop column ended_at;

alter table kernel.webhook_queue
  -- Whether the log, or the delivery's own row, may say anything about it.
  add column is_tried boolean not null default true;

-- By endpoint alone, which has its tenant and shard. What the server knows of a queue's size is old
-- whenever it matters, and an index that began like the primary key was then as good to it: all
-- that waited was read to find one delivery.
drop index kernel.webhook_queue_due;

create index webhook_queue_due
  on kernel.webhook_queue (endpoint_id, run_at);

-- A lease of its own, and room in each page: what a claim writes is in no index, so it writes none.
alter table kernel.webhook_queue
  add column leased_until timestamptz,
  set (fillfactor = 60);
