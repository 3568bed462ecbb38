-- Deleting a contact looks for what names it. Without these, undoing an import of contacts reads
-- all quotes and leads for each of them.
create index quotes_of_contact on books.quotes (business_id, environment, contact_id);

create index leads_of_contact on books.leads (business_id, environment, contact_id);
