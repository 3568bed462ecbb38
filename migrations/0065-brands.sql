-- How a business presents itself to payers. A logo never changes and is kept: documents that were
-- issued with it are drawn with it again.
create table kernel.logos (
  business_id uuid not null references kernel.businesses (id),
  sha256 bytea not null,
  content_type text not null,
  width integer not null,
  height integer not null,
  content bytea not null,
  created_at timestamptz not null,
  constraint logos_pkey primary key (business_id, sha256),
  constraint logos_type_check check (content_type in ('image/png', 'image/jpeg'))
);

create table kernel.brands (
  business_id uuid not null references kernel.businesses (id),
  colour text,
  contact_email text,
  contact_phone text,
  website_url text,
  terms_url text,
  privacy_url text,
  logo_sha256 bytea,
  updated_at timestamptz not null,
  constraint brands_pkey primary key (business_id),
  constraint brands_logo_fkey
    foreign key (business_id, logo_sha256) references kernel.logos (business_id, sha256),
  constraint brands_colour_check check (colour ~ '^#[0-9a-f]{6}$')
);
