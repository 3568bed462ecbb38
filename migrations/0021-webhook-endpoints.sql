-- Endpoints that change: a new secret beside the old one, other events, off and on again; and
-- events that are for one endpoint alone.

alter table kernel.webhook_endpoints
  -- What signed before `secret_sealed` did, and goes on signing beside it until then.
  add column old_secret_sealed bytea,
  add column old_secret_until timestamptz,
  add check ((old_secret_sealed is null) = (old_secret_until is null)),
  -- Since when it is told of what it is told of now: made, switched on, or other events chosen.
  add column told_since timestamptz;

update kernel.webhook_endpoints
set told_since = created_at;

alter table kernel.webhook_endpoints
  alter column told_since set not null;

create index webhook_endpoints_old_secrets
  on kernel.webhook_endpoints (old_secret_until)
  where old_secret_until is not null;

-- Those that were switched on again, for the look whether something was left behind.
create index webhook_endpoints_switched_on
  on kernel.webhook_endpoints (state_since)
  where state = 'on'
    and state_since > created_at;

-- held: the endpoint was switched off before it was delivered; it is sent when that is on again.
alter table kernel.webhook_deliveries
  drop constraint webhook_deliveries_state_check,
  drop constraint webhook_deliveries_check,
  add constraint webhook_deliveries_state_check
    check (state in ('open', 'held', 'delivered', 'dead_lettered', 'ended')),
  add constraint webhook_deliveries_check
    check ((state in ('open', 'held')) = (ended_at is null));

update kernel.webhook_deliveries delivery
set state = 'held',
  ended_at = null
from kernel.webhook_endpoints endpoint
where endpoint.business_id = delivery.business_id
  and endpoint.environment = delivery.environment
  and endpoint.id = delivery.endpoint_id
  and endpoint.state = 'off'
  and delivery.state = 'ended';

create index webhook_deliveries_held
  on kernel.webhook_deliveries (business_id, environment, endpoint_id)
  where state = 'held';

create index webhook_deliveries_dead
  on kernel.webhook_deliveries (business_id, environment, endpoint_id, id)
  where state = 'dead_lettered';

-- Null: for every endpoint that wants its type.
alter table kernel.events
  add column endpoint_id uuid;
