-- The log of API requests of a business, kept for a month. Ids begin with the time of the request,
-- so rows are read and deleted in their order.
create table kernel.api_requests (
  business_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  id uuid not null,
  key_id uuid not null,
  method text not null,
  -- As it was sent, without the query.
  path text not null,
  status integer not null,
  duration_ms integer not null,
  request_id text not null,
  address text not null,
  primary key (business_id, environment, id)
);

create index api_requests_of_key
  on kernel.api_requests (business_id, environment, key_id, id);

create index api_requests_by_request_id
  on kernel.api_requests (business_id, environment, request_id);
