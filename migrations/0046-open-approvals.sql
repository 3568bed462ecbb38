-- How many approvals of a business wait: every page of the application shows the number.
create index approvals_open_of_business
  on merchant.approvals (business_id, environment)
  where state = 'pending';
