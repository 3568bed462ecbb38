-- The list of events, filtered by type, newest first.
create index events_by_type on kernel.events (business_id, environment, type, id);
