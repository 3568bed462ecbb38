-- The statement of a contact reads all of its items, also those that are settled.
create index open_items_of_statement
  on books.open_items (business_id, environment, contact_id);
