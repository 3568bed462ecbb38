-- An idempotency key belongs to one kind of document. All kinds shared the name of invoices, so a
-- key of a bill answered POST /invoices with the bill.
update kernel.idempotency_keys as used
set operation = document.kind || 's'
from books.documents as document
where used.operation = 'invoices'
  and document.business_id = used.business_id
  and document.environment = used.environment
  and document.id = used.object_id
  and document.kind <> 'invoice';
