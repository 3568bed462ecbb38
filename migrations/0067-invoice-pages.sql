-- Every issued invoice has a page on which its customer reads and pays it. The address of the page
-- cannot be guessed from the id of the invoice.
create table books.invoice_pages (
  business_id uuid not null,
  environment text not null,
  document_id uuid not null,
  public_id uuid not null,
  created_at timestamptz not null,
  -- When the customer opened it first.
  viewed_at timestamptz,
  constraint invoice_pages_pkey primary key (business_id, environment, document_id),
  constraint invoice_pages_by_public_id unique (business_id, environment, public_id),
  constraint invoice_pages_document_fkey
    foreign key (business_id, environment, document_id)
    references books.documents (business_id, environment, id)
);

insert into books.invoice_pages (business_id, environment, document_id, public_id, created_at)
select business_id, environment, id, gen_random_uuid(), posted_at
from books.documents
where kind = 'invoice' and posted_at is not null;

-- A charge of the payment service for an invoice, bound to it by both ids. It is under way until it
-- has failed or is booked.
create table books.invoice_charges (
  business_id uuid not null,
  environment text not null,
  -- The payment at the payment service.
  payment_id uuid not null,
  document_id uuid not null,
  currency text not null,
  amount_minor bigint not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint invoice_charges_pkey primary key (business_id, environment, payment_id),
  constraint invoice_charges_amount_check check (amount_minor > 0),
  constraint invoice_charges_document_fkey
    foreign key (business_id, environment, document_id)
    references books.documents (business_id, environment, id)
);

create index invoice_charges_under_way
  on books.invoice_charges (business_id, environment, document_id)
  where ended_at is null;

-- Whether customers can pay invoices on their pages, and whether in parts.
alter table books.service_settings
  add column takes_invoice_payments boolean not null default true,
  add column takes_part_payments boolean not null default false;

-- The invoice of the books that a payment is for.
alter table merchant.payments
  add column invoice_id uuid;

alter table merchant.payments
  drop constraint payments_check1;

alter table merchant.payments
  add constraint payments_one_purpose_check
  check (num_nonnulls(payment_link_id, qr_code_id, subscription_id, invoice_id) = 1);

create index payments_by_invoice
  on merchant.payments (business_id, environment, invoice_id, id)
  where invoice_id is not null;
