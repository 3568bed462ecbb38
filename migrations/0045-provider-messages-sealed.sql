-- Messages of the provider name payers, accounts and cards. What they refer to stays readable; the
-- rest is sealed. A job seals those that are stored, since only the service has the key.
alter table merchant.provider_messages
  add column event text,
  add column reference text,
  add column transaction_id text,
  add column body_sealed bytea,
  alter column body drop not null;

create index provider_messages_unsealed
  on merchant.provider_messages (id)
  where body is not null;
