-- Money of the payment service gets into the books by itself: what the service holds for the
-- business moves, the movement is taken down here, and booked.
-- docs/decisions/0037-service-money.md tells why it is done like this.

-- Whether and how it is booked. Where there is no row, nothing is.
create table books.service_settings (
  business_id uuid not null,
  environment text not null,
  is_on boolean not null,
  -- What moved before this moment is left to people.
  since timestamptz not null,
  -- Every movement whose id sorts before this one was taken down. It stays behind by longer than a
  -- transaction lasts, because an entry with an earlier id may be committed later.
  look_from uuid not null,
  -- Most looks begin here, which is nearer; those from there are made once a minute, and this is
  -- when the last one was.
  near_from uuid not null,
  looked_at timestamptz not null,
  -- When it was last looked further back than both.
  looked_back_at timestamptz not null,
  -- Where payments stand that name no invoice, until somebody says what they were for.
  unassigned_account_id uuid not null,
  -- What of a payment goes to a split recipient.
  share_account_id uuid not null,
  -- The bank account that payouts come to.
  payout_account_id uuid not null,
  primary key (business_id, environment),
  foreign key (business_id, environment) references books.organisations (business_id, environment),
  foreign key (business_id, environment, unassigned_account_id)
    references books.accounts (business_id, environment, id),
  foreign key (business_id, environment, share_account_id)
    references books.accounts (business_id, environment, id),
  foreign key (business_id, environment, payout_account_id)
    references books.accounts (business_id, environment, id)
);

create table books.service_movements (
  business_id uuid not null,
  environment text not null,
  -- That of the entry in the ledger of the payment service: taken down once.
  id uuid not null,
  kind text not null,
  -- The payment, refund, chargeback or payout that moved it.
  object_id uuid not null,
  -- The payment that it is about; null for payouts, and for what is about none.
  payment_id uuid,
  happened_at timestamptz not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- How much more, or as a negative less, the service holds for the business.
  held_minor bigint not null,
  -- What of a payment the service kept, and what went to a split recipient.
  fee_minor bigint not null,
  share_minor bigint not null,
  -- The link, code or subscription that was paid, and what it says, where an invoice may be named.
  offer_id uuid,
  offer_text text,
  -- known: a person had booked it before.
  status text not null check (status in ('waiting', 'booked', 'known')),
  -- Why it could not be booked when it was last tried.
  reason text,
  tries integer not null default 0,
  -- When it is tried; null when it is over.
  next_try_at timestamptz,
  -- The payment in the books, where it is one.
  booked_payment_id uuid,
  -- The entries that book it, the first and the last; nothing of others lies between.
  first_sequence bigint,
  last_sequence bigint,
  taken_at timestamptz not null,
  booked_at timestamptz,
  primary key (business_id, environment, id),
  foreign key (business_id, environment)
    references books.service_settings (business_id, environment),
  check ((status = 'waiting') = (next_try_at is not null)),
  check ((status = 'waiting') = (booked_at is null)),
  check ((status = 'booked') = (first_sequence is not null)),
  check ((first_sequence is null) = (last_sequence is null)),
  check (first_sequence <= last_sequence)
);

create index service_movements_due
  on books.service_movements (next_try_at, happened_at, id)
  where status = 'waiting';

create index service_movements_of_object
  on books.service_movements (business_id, environment, object_id, happened_at);

create index service_movements_of_payment
  on books.service_movements (business_id, environment, payment_id)
  where payment_id is not null;

create index service_movements_by_time
  on books.service_movements (business_id, environment, happened_at desc, id desc);

-- The invoice that a payment link, a code or a subscription is paid for.
create table books.offer_invoices (
  business_id uuid not null,
  environment text not null,
  offer_id uuid not null,
  document_id uuid not null,
  created_at timestamptz not null,
  primary key (business_id, environment, offer_id),
  foreign key (business_id, environment, document_id)
    references books.documents (business_id, environment, id)
);
