-- What people do about their own account.

-- When the password was given in this session: sensitive forms ask people without a second factor
-- for it again.
alter table kernel.sessions
  add column password_at timestamptz;

-- Links that were mailed to a person: one of each kind at a time, so a newer one ends the older.
-- Only a hash is stored. Belongs to no tenant, like the person.
create table kernel.person_links (
  person_id uuid not null references kernel.people (id) on delete cascade,
  kind text not null,
  token_hash bytea not null,
  -- The new address, which the link proves.
  new_email text,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  constraint person_links_pkey primary key (person_id, kind),
  constraint person_links_kind_check check (kind in ('email_change', 'password_reset')),
  constraint person_links_email_check check ((kind = 'email_change') = (new_email is not null)),
  constraint person_links_hash_check check (length(token_hash) = 32)
);
create index person_links_token on kernel.person_links (token_hash);
