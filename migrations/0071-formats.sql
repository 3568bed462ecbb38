-- How the application writes numbers and dates for the people of a business.
alter table books.organisations
  add column locale text not null default 'en-GB';
