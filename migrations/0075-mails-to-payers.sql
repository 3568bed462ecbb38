-- Which mails the payers of a business get. A business that exists already has to switch them on:
-- its payers may get receipts from another system. A new one starts with them.
alter table merchant.profiles
  add column mails_receipts boolean not null default false;

alter table merchant.profiles
  add column mails_refunds boolean not null default false;
