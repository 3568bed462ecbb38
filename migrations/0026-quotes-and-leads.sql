-- Quotes and leads: what comes before an invoice. Neither is in the books.

create table books.leads (
  business_id uuid not null,
  environment text not null,
  id uuid not null,
  status text not null
    check (status in ('new', 'contacted', 'qualified', 'quoted', 'won', 'lost')),
  name text not null check (length(name) between 1 and 160),
  company text check (length(company) between 1 and 160),
  email text check (length(email) <= 320),
  phone text check (length(phone) between 1 and 50),
  notes text check (length(notes) <= 4000),
  -- What it may be worth.
  value_minor bigint check (value_minor >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  contact_id uuid,
  quote_id uuid,
  lost_reason text check (length(lost_reason) between 1 and 500),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, environment, id),
  foreign key (business_id, environment, contact_id)
    references books.contacts (business_id, environment, id)
);

create index leads_newest on books.leads (business_id, environment, created_at desc, id desc);

create table books.quotes (
  business_id uuid not null,
  environment text not null,
  id uuid not null,
  status text not null
    check (status in ('draft', 'sent', 'accepted', 'declined', 'expired', 'invoiced')),
  -- Given when it is sent for the first time; later versions keep it.
  number text,
  number_period text,
  number_position bigint,
  -- Counts what the customer was shown: 0 before the first sending.
  version integer not null check (version >= 0),
  -- Names the hosted page. Random, so that nobody gets there from the id, and new with every
  -- version, so that an old page cannot accept a new offer.
  public_id uuid,
  contact_id uuid not null,
  lead_id uuid,
  date date not null,
  expiry_date date not null,
  reference text check (length(reference) <= 255),
  notes text check (length(notes) <= 4000),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  tax_rounding text not null check (tax_rounding in ('line', 'document')),
  subtotal_minor bigint not null,
  tax_total_minor bigint not null,
  total_minor bigint not null,
  -- As they were entered and priced. Quotes are not in the books, so nothing is asked of single
  -- lines.
  lines jsonb not null check (jsonb_typeof(lines) = 'array'),
  -- What the customer was shown, frozen at sending.
  snapshot jsonb,
  sent_at timestamptz,
  decided_at timestamptz,
  -- What the customer wrote on the page.
  decided_by_name text check (length(decided_by_name) between 1 and 160),
  decline_reason text check (length(decline_reason) between 1 and 500),
  -- The draft invoice that was made of it.
  invoice_id uuid,
  created_by_kind text not null,
  created_by text not null,
  author_person_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, environment, id),
  unique (business_id, environment, number),
  unique (business_id, environment, number_period, number_position),
  unique (business_id, environment, public_id),
  foreign key (business_id, environment, contact_id)
    references books.contacts (business_id, environment, id),
  foreign key (business_id, environment, lead_id)
    references books.leads (business_id, environment, id),
  foreign key (business_id, environment, invoice_id)
    references books.documents (business_id, environment, id),
  check (subtotal_minor + tax_total_minor = total_minor),
  check ((status = 'invoiced') = (invoice_id is not null)),
  check (status = 'draft' or number is not null)
);

create index quotes_newest
  on books.quotes (business_id, environment, date desc, created_at desc, id desc);
-- Of all tenants: what may expire.
create index quotes_to_expire on books.quotes (expiry_date) where status = 'sent';

alter table books.leads
  add foreign key (business_id, environment, quote_id)
    references books.quotes (business_id, environment, id);
