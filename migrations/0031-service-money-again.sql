-- What the payment service tells can be booked again after people have taken it out of the books,
-- and no business waits for the backlog of another.
-- docs/decisions/0037-service-money.md tells more.

-- A payment that was removed keeps the id that it was booked under, and another may have it.
create unique index payments_by_external_id
  on books.payments (business_id, environment, external_id)
  where removed_at is null;

alter table books.payments
  drop constraint payments_business_id_environment_external_id_key;

-- Whether something of a business is due, and what of it comes first.
drop index books.service_movements_due;

create index service_movements_due
  on books.service_movements (business_id, environment, next_try_at)
  where status = 'waiting';

create index service_movements_in_turn
  on books.service_movements (business_id, environment, happened_at, id)
  where status = 'waiting';

-- What a refund has taken from each document that its payment had paid: as much is paid again when
-- the refund did not arrive. People may have taken other parts off, which stay off.
create table books.refund_releases (
  business_id uuid not null,
  environment text not null,
  refund_id uuid not null,
  document_id uuid not null,
  amount_minor bigint not null check (amount_minor > 0),
  primary key (business_id, environment, refund_id, document_id),
  foreign key (business_id, environment, refund_id)
    references books.payments (business_id, environment, id),
  foreign key (business_id, environment, document_id)
    references books.documents (business_id, environment, id)
);
