-- What a payment link sells, if it is for more than one thing. `sold` and `reserved` count what
-- collected and open payments have of an item. They change in the transaction of the payment, so
-- the stock is never sold twice.
create table merchant.payment_link_items (
  business_id uuid not null,
  environment text not null,
  payment_link_id uuid not null,
  id uuid not null,
  position integer not null,
  name text not null,
  unit_amount_minor bigint not null,
  -- How many a payer takes: a fixed number if both are the same.
  quantity_min integer not null,
  quantity_max integer not null,
  -- How many there are for all payers; null without a limit.
  stock integer,
  sold integer not null default 0,
  reserved integer not null default 0,
  constraint payment_link_items_pkey primary key (business_id, environment, payment_link_id, id),
  constraint payment_link_items_position_key
    unique (business_id, environment, payment_link_id, position),
  constraint payment_link_items_link_fkey
    foreign key (business_id, environment, payment_link_id)
    references merchant.payment_links (business_id, environment, id),
  constraint payment_link_items_name_check check (length(name) between 1 and 140),
  constraint payment_link_items_amount_check check (unit_amount_minor > 0),
  constraint payment_link_items_quantity_check
    check (quantity_min >= 0 and quantity_max >= quantity_min and quantity_max >= 1),
  constraint payment_link_items_count_check check (sold >= 0 and reserved >= 0),
  constraint payment_link_items_stock_check check (sold + reserved <= stock)
);

alter table merchant.payments
  add column is_itemised boolean not null default false;

-- What a payment is for, as it was when Pay was pressed.
create table merchant.payment_items (
  business_id uuid not null,
  environment text not null,
  payment_id uuid not null,
  payment_link_id uuid not null,
  item_id uuid not null,
  position integer not null,
  name text not null,
  unit_amount_minor bigint not null,
  quantity integer not null,
  constraint payment_items_pkey primary key (business_id, environment, payment_id, item_id),
  constraint payment_items_payment_fkey
    foreign key (business_id, environment, payment_id)
    references merchant.payments (business_id, environment, id),
  constraint payment_items_item_fkey
    foreign key (business_id, environment, payment_link_id, item_id)
    references merchant.payment_link_items (business_id, environment, payment_link_id, id),
  constraint payment_items_amount_check check (unit_amount_minor > 0),
  constraint payment_items_quantity_check check (quantity > 0)
);

create index payment_items_by_item
  on merchant.payment_items (business_id, environment, payment_link_id, item_id);
