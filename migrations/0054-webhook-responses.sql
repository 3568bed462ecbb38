-- The start of what a receiver answered, as text: null if it was not kept, empty if the answer was.
alter table kernel.webhook_attempts
  add column response_text text;

-- To find the texts that are old enough to delete.
create index webhook_attempts_with_response
  on kernel.webhook_attempts (business_id, environment, attempted_at)
  where response_text <> '';

-- Since when the endpoint's secrets are the current ones; null since it was registered. Signatures
-- of earlier attempts can't be shown. Existing endpoints may have been rotated before any of their
-- attempts.
alter table kernel.webhook_endpoints
  add column secret_since timestamptz;

update kernel.webhook_endpoints endpoint
set secret_since = (
  select max(attempted_at)
  from kernel.webhook_attempts attempt
  where attempt.business_id = endpoint.business_id
    and attempt.environment = endpoint.environment
    and attempt.endpoint_id = endpoint.id
);
