-- expand
-- Who has paid a business, with every name they gave, in lower case: what the search for customers
-- reads. A row is written with the first payment that has this address and name, and never changed,
-- so payments of the same customer don't wait for each other. Payments still make the customers;
-- what they paid is added up for the customers that are shown.
create table merchant.customer_names (
  business_id uuid not null,
  environment text not null,
  email text collate "C" not null,
  -- Empty if they gave none.
  name text collate "C" not null,
  constraint customer_names_pkey primary key (business_id, environment, email, name)
);

insert into merchant.customer_names (business_id, environment, email, name)
select distinct business_id, environment, lower(payer_email), lower(coalesce(payer_name, ''))
from merchant.payments;
