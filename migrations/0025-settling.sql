-- What settling needs beside the core of the books.

alter table books.accounts
  -- What a bank account is kept in; the base currency where it is null. Money of another currency
  -- comes to an account in the base currency changed, and not at all to any other.
  add column currency text check (currency ~ '^[A-Z]{3}$');

alter table books.allocations
  -- The payment whose entry books it; null where it has an entry of its own.
  add column booked_with uuid;

create index payments_of_contact
  on books.payments (business_id, environment, contact_id, date desc, created_at desc, id desc);
