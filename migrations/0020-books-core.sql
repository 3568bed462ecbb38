-- The core of the books: settings, master data, documents, open items and the journal.
-- Positive is a debit, negative a credit. Base amounts are minor units of the organisation's base
-- currency, the others minor units of the currency beside them.
-- docs/books.md tells how the tables belong together.

alter table books.organisations
  -- Printed on documents; the name of the business where it is null.
  add column legal_name text check (length(legal_name) between 1 and 160),
  add column address text check (length(address) between 1 and 500),
  add column tax_number text check (length(tax_number) between 1 and 50),
  add column payment_details text check (length(payment_details) between 1 and 1000),
  -- Where "today" is.
  add column time_zone text not null default 'UTC',
  -- A fiscal year begins on the first day of this month.
  add column fiscal_year_start_month integer not null default 1
    check (fiscal_year_start_month between 1 and 12),
  add column tax_rounding text not null default 'line' check (tax_rounding in ('line', 'document')),
  -- Whether documents must be submitted and approved, and by somebody else than their author.
  add column approvals_on boolean not null default false,
  add column four_eyes_on boolean not null default true,
  -- Days up to and including these are locked. Owners and admins may post behind the soft lock;
  -- nobody behind the hard one, which only moves forward.
  add column soft_locked_until date,
  add column hard_locked_until date,
  add column default_sales_account_id uuid,
  add column default_purchase_account_id uuid,
  add column default_sales_tax_code_id uuid,
  add column default_purchase_tax_code_id uuid;

alter table books.contacts
  add column address text check (length(address) between 1 and 500),
  add column sales_account_id uuid,
  add column purchase_account_id uuid,
  add column sales_tax_code_id uuid,
  add column purchase_tax_code_id uuid;

create table books.tax_codes (
  business_id uuid not null,
  environment text not null,
  id uuid not null,
  name text not null check (length(name) between 1 and 80),
  -- Whether prices are meant with this tax inside.
  is_inclusive boolean not null,
  -- [{"name": text, "rate": decimal text in percent, "is_compound": boolean}], in order. A compound
  -- component is charged on the net and all components before it.
  components jsonb not null check (jsonb_typeof(components) = 'array'),
  -- Where the tax is booked.
  account_id uuid not null,
  active boolean not null,
  created_at timestamptz not null,
  primary key (business_id, environment, id),
  unique (business_id, environment, name),
  foreign key (business_id, environment, account_id)
    references books.accounts (business_id, environment, id)
);

create table books.items (
  business_id uuid not null,
  environment text not null,
  id uuid not null,
  code text not null check (length(code) between 1 and 40),
  name text not null check (length(name) between 1 and 160),
  description text check (length(description) between 1 and 4000),
  sales_unit_price numeric,
  purchase_unit_price numeric,
  sales_account_id uuid,
  purchase_account_id uuid,
  sales_tax_code_id uuid,
  purchase_tax_code_id uuid,
  active boolean not null,
  created_at timestamptz not null,
  primary key (business_id, environment, id),
  unique (business_id, environment, code),
  foreign key (business_id, environment, sales_account_id)
    references books.accounts (business_id, environment, id),
  foreign key (business_id, environment, purchase_account_id)
    references books.accounts (business_id, environment, id),
  foreign key (business_id, environment, sales_tax_code_id)
    references books.tax_codes (business_id, environment, id),
  foreign key (business_id, environment, purchase_tax_code_id)
    references books.tax_codes (business_id, environment, id)
);

alter table books.contacts
  add foreign key (business_id, environment, sales_account_id)
    references books.accounts (business_id, environment, id),
  add foreign key (business_id, environment, purchase_account_id)
    references books.accounts (business_id, environment, id),
  add foreign key (business_id, environment, sales_tax_code_id)
    references books.tax_codes (business_id, environment, id),
  add foreign key (business_id, environment, purchase_tax_code_id)
    references books.tax_codes (business_id, environment, id);

alter table books.organisations
  add foreign key (business_id, environment, default_sales_account_id)
    references books.accounts (business_id, environment, id),
  add foreign key (business_id, environment, default_purchase_account_id)
    references books.accounts (business_id, environment, id),
  add foreign key (business_id, environment, default_sales_tax_code_id)
    references books.tax_codes (business_id, environment, id),
  add foreign key (business_id, environment, default_purchase_tax_code_id)
    references books.tax_codes (business_id, environment, id);

-- What one unit of the currency is worth in the base currency, from this day on.
create table books.exchange_rates (
  business_id uuid not null,
  environment text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  date date not null,
  rate numeric not null check (rate > 0),
  created_at timestamptz not null,
  primary key (business_id, environment, currency, date),
  foreign key (business_id, environment) references books.organisations (business_id, environment)
);

-- Patterns such as INV-{YYYY}-{00000}. A pattern with a year counts anew in every year.
create table books.number_series (
  business_id uuid not null,
  environment text not null,
  kind text not null,
  pattern text not null check (length(pattern) between 1 and 40),
  primary key (business_id, environment, kind),
  foreign key (business_id, environment) references books.organisations (business_id, environment)
);

-- The row is locked in the transaction that gives a number, last before the journal, so that a
-- rollback gives the number back.
create table books.number_counters (
  business_id uuid not null,
  environment text not null,
  kind text not null,
  -- The year, or empty where the pattern has none.
  period text not null,
  last_number bigint not null check (last_number >= 0),
  primary key (business_id, environment, kind, period),
  foreign key (business_id, environment, kind)
    references books.number_series (business_id, environment, kind)
);

create table books.documents (
  business_id uuid not null,
  environment text not null,
  id uuid not null,
  kind text not null
    check (kind in ('invoice', 'credit_note', 'bill', 'supplier_credit', 'expense_claim')),
  -- A pure function of the columns below; books/documents/document-status.ts.
  status text not null
    check (status in ('draft', 'awaiting_approval', 'approved', 'sent', 'posted',
      'partially_paid', 'paid', 'void', 'closed')),
  number text,
  number_period text,
  number_position bigint,
  contact_id uuid not null,
  date date not null,
  due_date date not null,
  reference text check (length(reference) <= 255),
  notes text check (length(notes) <= 4000),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Null on a draft while no rate is known.
  fx_rate numeric check (fx_rate > 0),
  tax_rounding text not null check (tax_rounding in ('line', 'document')),
  subtotal_minor bigint not null,
  tax_total_minor bigint not null,
  total_minor bigint not null,
  paid_minor bigint not null default 0 check (paid_minor >= 0),
  credited_minor bigint not null default 0 check (credited_minor >= 0),
  written_off_minor bigint not null default 0 check (written_off_minor >= 0),
  created_by_kind text not null,
  created_by text not null,
  -- Four eyes look at people: who wrote it, or made the key that did; null for the system.
  author_person_id uuid,
  submitted_at timestamptz,
  approved_at timestamptz,
  approved_by uuid,
  -- When it entered the books: issued (sales) or approved (purchases).
  posted_at timestamptz,
  sent_at timestamptz,
  voided_at timestamptz,
  -- What was printed, frozen when it was issued.
  snapshot jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Counts every change, so that two people who edit the same draft notice each other.
  version integer not null default 1,
  primary key (business_id, environment, id),
  unique (business_id, environment, kind, number),
  unique (business_id, environment, kind, number_period, number_position),
  foreign key (business_id, environment, contact_id)
    references books.contacts (business_id, environment, id),
  check (subtotal_minor + tax_total_minor = total_minor),
  check (paid_minor + credited_minor + written_off_minor <= greatest(total_minor, 0)),
  check ((number is null) = (posted_at is null)),
  check ((number is null) = (number_position is null)),
  check ((number is null) = (number_period is null)),
  check (posted_at is null or fx_rate is not null)
);

create index documents_newest
  on books.documents (business_id, environment, date desc, created_at desc, id desc);
create index documents_of_contact
  on books.documents (business_id, environment, contact_id, date desc, created_at desc, id desc);

create table books.document_lines (
  business_id uuid not null,
  environment text not null,
  document_id uuid not null,
  position integer not null check (position between 1 and 200),
  id uuid not null,
  item_id uuid,
  description text not null check (length(description) between 1 and 4000),
  quantity numeric not null,
  unit_price numeric not null,
  discount_pct numeric not null check (discount_pct between 0 and 100),
  account_id uuid,
  tax_code_id uuid,
  -- [{"name", "rate", "tax_minor"}]: what each component of the tax code came to.
  taxes jsonb not null,
  net_minor bigint not null,
  tax_minor bigint not null,
  gross_minor bigint not null,
  primary key (business_id, environment, document_id, position),
  unique (business_id, environment, id),
  foreign key (business_id, environment, document_id)
    references books.documents (business_id, environment, id),
  foreign key (business_id, environment, item_id)
    references books.items (business_id, environment, id),
  foreign key (business_id, environment, account_id)
    references books.accounts (business_id, environment, id),
  foreign key (business_id, environment, tax_code_id)
    references books.tax_codes (business_id, environment, id),
  check (net_minor + tax_minor = gross_minor)
);

-- Money that came in or went out, and debts that were given up.
create table books.payments (
  business_id uuid not null,
  environment text not null,
  id uuid not null,
  direction text not null check (direction in ('in', 'out')),
  method text not null check (method in ('cash', 'payment_link', 'write_off')),
  contact_id uuid not null,
  date date not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount_minor bigint not null check (amount_minor > 0),
  fx_rate numeric not null check (fx_rate > 0),
  -- What it was in the base currency; not always amount times rate, since banks round as they like.
  base_minor bigint not null check (base_minor >= 0),
  -- Bank, clearing, or bad debts.
  account_id uuid not null,
  -- What the provider kept of it, in the currency of the payment.
  fee_minor bigint not null default 0 check (fee_minor between 0 and amount_minor),
  reference text check (length(reference) <= 255),
  -- The payment of the merchant service that it reports: booked once.
  external_id text,
  removed_at timestamptz,
  created_by_kind text not null,
  created_by text not null,
  created_at timestamptz not null,
  primary key (business_id, environment, id),
  unique (business_id, environment, external_id),
  foreign key (business_id, environment, contact_id)
    references books.contacts (business_id, environment, id),
  foreign key (business_id, environment, account_id)
    references books.accounts (business_id, environment, id)
);

-- What is owed, one way or the other: a row for every document in the books and every payment, with
-- what is still open of it. Its id is that of the document or payment. The control account's
-- journal lines name it too, so that what was open on any day is the sum of its lines.
create table books.open_items (
  business_id uuid not null,
  environment text not null,
  id uuid not null,
  source text not null check (source in ('document', 'payment')),
  account_id uuid not null,
  contact_id uuid not null,
  currency text not null,
  date date not null,
  due_date date not null,
  fx_rate numeric not null,
  -- Signed: an invoice is positive, a payment for it negative.
  amount_minor bigint not null,
  base_minor bigint not null,
  open_minor bigint not null,
  open_base_minor bigint not null,
  primary key (business_id, environment, id),
  foreign key (business_id, environment, account_id)
    references books.accounts (business_id, environment, id),
  foreign key (business_id, environment, contact_id)
    references books.contacts (business_id, environment, id),
  -- Nothing is used beyond what it was, and what is used up has no base amount left.
  check (open_minor between least(amount_minor, 0) and greatest(amount_minor, 0)),
  check (open_minor <> 0 or open_base_minor = 0)
);

create index open_items_of_contact
  on books.open_items (business_id, environment, contact_id, account_id, currency)
  where open_minor <> 0;

-- One open item used against another of the opposite sign, same account, contact and currency.
create table books.allocations (
  business_id uuid not null,
  environment text not null,
  id uuid not null,
  debit_item_id uuid not null,
  credit_item_id uuid not null,
  date date not null,
  amount_minor bigint not null check (amount_minor > 0),
  -- What each side was carried at; the difference is realised gain or loss.
  debit_base_minor bigint not null,
  credit_base_minor bigint not null,
  created_at timestamptz not null,
  -- The day on which it was taken back.
  removed_on date,
  removed_at timestamptz,
  primary key (business_id, environment, id),
  foreign key (business_id, environment, debit_item_id)
    references books.open_items (business_id, environment, id),
  foreign key (business_id, environment, credit_item_id)
    references books.open_items (business_id, environment, id)
);

create index allocations_of_debit_item
  on books.allocations (business_id, environment, debit_item_id);
create index allocations_of_credit_item
  on books.allocations (business_id, environment, credit_item_id);

-- The last entry of the journal; locked last in every transaction that posts, which makes the
-- sequence gapless and the chain of hashes a chain.
create table books.journal_heads (
  business_id uuid not null,
  environment text not null,
  sequence bigint not null check (sequence >= 0),
  hash bytea not null check (length(hash) = 32),
  primary key (business_id, environment),
  foreign key (business_id, environment) references books.organisations (business_id, environment)
);

create table books.journal_entries (
  business_id uuid not null,
  environment text not null,
  sequence bigint not null check (sequence >= 1),
  id uuid not null,
  -- The fact, for example `invoice.issued`.
  kind text not null check (kind ~ '^[a-z][a-z_]*\.[a-z_]+$' and length(kind) <= 60),
  -- The document, payment, allocation or journal that it is about.
  source_id uuid not null,
  reverses_sequence bigint,
  date date not null,
  description text not null check (length(description) between 1 and 500),
  line_count integer not null check (line_count between 2 and 1000),
  posted_by_kind text not null,
  posted_by text not null,
  posted_at timestamptz not null,
  hash bytea not null check (length(hash) = 32),
  primary key (business_id, environment, sequence),
  unique (business_id, environment, id),
  -- An entry is reversed once at most.
  unique (business_id, environment, reverses_sequence),
  foreign key (business_id, environment, reverses_sequence)
    references books.journal_entries (business_id, environment, sequence),
  foreign key (business_id, environment) references books.organisations (business_id, environment),
  check (reverses_sequence < sequence)
);

create index journal_entries_of_source
  on books.journal_entries (business_id, environment, source_id, sequence);

create table books.journal_lines (
  business_id uuid not null,
  environment text not null,
  sequence bigint not null,
  position integer not null check (position >= 1),
  -- The day of the entry, repeated for the reports.
  date date not null,
  account_id uuid not null,
  base_minor bigint not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount_minor bigint not null,
  contact_id uuid,
  -- On control accounts: whose open amount this line changes.
  open_item_id uuid,
  tax_code_id uuid,
  description text check (length(description) between 1 and 500),
  primary key (business_id, environment, sequence, position),
  foreign key (business_id, environment, sequence)
    references books.journal_entries (business_id, environment, sequence),
  foreign key (business_id, environment, account_id)
    references books.accounts (business_id, environment, id),
  check (base_minor <> 0 or amount_minor <> 0),
  check (abs(base_minor) <= 1000000000000000000)
);

create index journal_lines_of_account
  on books.journal_lines (business_id, environment, account_id, date, sequence, position);
create index journal_lines_of_open_item
  on books.journal_lines (business_id, environment, open_item_id, date)
  where open_item_id is not null;

-- Sums of the lines, kept in the transaction that posts: reports read whole months, and the days
-- of the month they end in.
create table books.account_months (
  business_id uuid not null,
  environment text not null,
  month date not null check (extract(day from month) = 1),
  account_id uuid not null,
  base_minor bigint not null,
  primary key (business_id, environment, month, account_id)
);

create table books.account_days (
  business_id uuid not null,
  environment text not null,
  date date not null,
  account_id uuid not null,
  base_minor bigint not null,
  primary key (business_id, environment, date, account_id)
);

-- Guards of the database itself, behind the statements of the application.

create function books.refuse_change() returns trigger
language plpgsql as $$
begin
  raise exception '% of % is refused: the journal is only ever added to', tg_op, tg_table_name
    using errcode = 'restrict_violation';
end
$$;

create trigger journal_entries_stay
  before update or delete on books.journal_entries
  for each row execute function books.refuse_change();
create trigger journal_entries_are_not_truncated
  before truncate on books.journal_entries
  for each statement execute function books.refuse_change();
create trigger journal_lines_stay
  before update or delete on books.journal_lines
  for each row execute function books.refuse_change();
create trigger journal_lines_are_not_truncated
  before truncate on books.journal_lines
  for each statement execute function books.refuse_change();

-- The lines that one statement inserts are all the lines of their entries, dated alike and summing
-- to zero.
create function books.check_journal_lines() returns trigger
language plpgsql as $$
declare
  part record;
  entry record;
begin
  for part in
    select business_id, environment, sequence, count(*) as line_count,
      max(position) as position_max, sum(base_minor) as base_minor,
      min(date) as date_min, max(date) as date_max
    from inserted
    group by business_id, environment, sequence
  loop
    select line_count, date
    into entry
    from books.journal_entries
    where business_id = part.business_id
      and environment = part.environment
      and sequence = part.sequence;
    if part.base_minor <> 0
      or part.line_count <> entry.line_count
      or part.position_max <> entry.line_count
      or part.date_min <> entry.date
      or part.date_max <> entry.date
    then
      raise exception 'journal entry % is incomplete or not balanced', part.sequence
        using errcode = 'check_violation';
    end if;
  end loop;
  return null;
end
$$;

create trigger journal_lines_are_balanced
  after insert on books.journal_lines
  referencing new table as inserted
  for each statement
  execute function books.check_journal_lines();

-- An entry follows the head of its journal, lies behind no hard lock, and comes with its lines.
create function books.check_journal_entry() returns trigger
language plpgsql as $$
begin
  if new.date <= (
    select hard_locked_until
    from books.organisations
    where business_id = new.business_id
      and environment = new.environment
  ) then
    raise exception 'the books are locked up to and including %', new.date
      using errcode = 'restrict_violation';
  end if;
  if not exists (
    select
    from books.journal_lines
    where business_id = new.business_id
      and environment = new.environment
      and sequence = new.sequence
  ) then
    raise exception 'journal entry % has no lines', new.sequence
      using errcode = 'check_violation';
  end if;
  if new.sequence > 1 and not exists (
    select
    from books.journal_entries
    where business_id = new.business_id
      and environment = new.environment
      and sequence = new.sequence - 1
  ) then
    raise exception 'journal entry % has no predecessor', new.sequence
      using errcode = 'check_violation';
  end if;
  return null;
end
$$;

create constraint trigger journal_entries_are_whole
  after insert on books.journal_entries
  deferrable initially deferred
  for each row
  execute function books.check_journal_entry();

-- What entered the books keeps its money, and what is void stays void. Rows are never deleted.
create function books.check_document_change() returns trigger
language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'documents are never deleted' using errcode = 'restrict_violation';
  end if;
  if old.voided_at is not null then
    raise exception 'document % is void and stays so', old.id
      using errcode = 'restrict_violation';
  end if;
  if old.posted_at is not null and (
    old.kind, old.number, old.contact_id, old.date, old.due_date, old.currency, old.fx_rate,
    old.subtotal_minor, old.tax_total_minor, old.total_minor, old.posted_at, old.snapshot
  ) is distinct from (
    new.kind, new.number, new.contact_id, new.date, new.due_date, new.currency, new.fx_rate,
    new.subtotal_minor, new.tax_total_minor, new.total_minor, new.posted_at, new.snapshot
  ) then
    raise exception 'document % is in the books and keeps its money', old.id
      using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;

create trigger documents_keep_their_money
  before update or delete on books.documents
  for each row execute function books.check_document_change();

create function books.check_hard_lock() returns trigger
language plpgsql as $$
begin
  if old.hard_locked_until is not null
    and (new.hard_locked_until is null or new.hard_locked_until < old.hard_locked_until)
  then
    raise exception 'the hard lock only moves forward' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;

create trigger hard_lock_moves_forward
  before update of hard_locked_until on books.organisations
  for each row execute function books.check_hard_lock();

-- Organisations that are there already get what new ones start with.
insert into books.accounts (
  business_id, environment, id, code, name, type, subtype, is_system, active, created_at
)
select business_id, environment,
  md5('currency revaluation' || business_id || environment)::uuid,
  case when exists (
    select
    from books.accounts as taken
    where taken.business_id = organisation.business_id
      and taken.environment = organisation.environment
      and taken.code = '1160'
  ) then 'FX-REVALUATION' else '1160' end,
  'Currency revaluation', 'asset', 'current_asset', true, true, created_at
from books.organisations as organisation;

insert into books.journal_heads (business_id, environment, sequence, hash)
select business_id, environment, 0, decode(repeat('00', 32), 'hex')
from books.organisations;

insert into books.number_series (business_id, environment, kind, pattern)
select business_id, environment, kind, pattern
from books.organisations
cross join (values
  ('invoice', 'INV-{YYYY}-{00000}'),
  ('credit_note', 'CN-{YYYY}-{00000}'),
  ('bill', 'BILL-{YYYY}-{00000}'),
  ('supplier_credit', 'SC-{YYYY}-{00000}'),
  ('expense_claim', 'EXP-{YYYY}-{00000}'),
  ('quote', 'QUO-{YYYY}-{00000}')
) as series (kind, pattern);
