-- What people of a business need to answer a dispute: what the provider says about it besides its
-- outcome, and what they note as evidence.

alter table merchant.chargebacks
  -- Until when the provider takes an answer; null if it does not say.
  add column due_at timestamptz,
  -- In the words of the provider.
  add column reason text,
  -- The provider has an answer of the business, and the bank decides.
  add column is_contested boolean not null default false;

create index chargebacks_undecided
  on merchant.chargebacks (business_id, environment, due_at)
  where status = 'open';

-- Notes are never changed.
create table merchant.chargeback_notes (
  business_id uuid not null,
  environment text not null,
  id uuid not null,
  chargeback_id uuid not null,
  person_id uuid not null,
  text text not null,
  created_at timestamptz not null,
  constraint chargeback_notes_pkey primary key (business_id, environment, id),
  constraint chargeback_notes_chargeback foreign key (business_id, environment, chargeback_id)
    references merchant.chargebacks (business_id, environment, id)
);

create index chargeback_notes_by_chargeback
  on merchant.chargeback_notes (business_id, environment, chargeback_id);
