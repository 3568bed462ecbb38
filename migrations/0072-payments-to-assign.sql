-- Payments of the payment service that were booked without an invoice, for the list of payments to
-- assign and for the number of them on the first page.
create index service_movements_unassigned
  on books.service_movements (business_id, environment, happened_at desc, id desc)
  where kind = 'collected' and booked_payment_id is null;

-- Those that people removed from the books are to be assigned too. They are few.
create index payments_removed
  on books.payments (business_id, environment, id)
  where removed_at is not null;
