-- A delivery on hold, because its endpoint is off, stays in the queue with a time that never comes.
-- Until now it left the queue and was marked as held, while one that was to be sent again stayed.
insert into kernel.webhook_queue as queue
  (shard, business_id, environment, delivery_id, endpoint_id, event_id, run_at, scheduled_at)
select
  -- As the application computes it: the last hex digit of the business.
  ('x' || right(business_id::text, 1))::bit(4)::integer,
  business_id, environment, id, endpoint_id, event_id, 'infinity', created_at
from kernel.webhook_deliveries
where stopped_as = 'held'
on conflict (shard, business_id, environment, delivery_id)
  do update
  set scheduled_at = excluded.scheduled_at;

update kernel.webhook_deliveries
set stopped_as = null
where stopped_as = 'held';

drop index kernel.webhook_deliveries_held;

alter table kernel.webhook_deliveries
  drop constraint webhook_deliveries_stopped_as_check,
  add constraint webhook_deliveries_stopped_as_check
    check (stopped_as in ('dead_lettered', 'ended'));

-- What was tried before is read from the log for every claim.
alter table kernel.webhook_queue
  drop column is_tried;
