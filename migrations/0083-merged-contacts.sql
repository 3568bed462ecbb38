-- Two contacts that are one: the merged one stands for the other from then on. Its documents and
-- journal lines keep its id; what reads them looks for both.
alter table books.contacts
  add column merged_into uuid;

alter table books.contacts
  add constraint contacts_not_merged_into_itself check (merged_into <> id);

alter table books.contacts
  add constraint contacts_merged_into_contact
    foreign key (business_id, environment, merged_into)
    references books.contacts (business_id, environment, id);

create index contacts_merged
  on books.contacts (business_id, environment, merged_into)
  where merged_into is not null;
