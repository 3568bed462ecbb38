-- Invitations to a business. A newer one for the same address replaces the older. Only the hash of
-- the link is stored; the row is deleted when the link is used or the invitation withdrawn.
create table kernel.invitations (
  business_id uuid not null references kernel.businesses (id),
  id uuid not null,
  email text not null,
  role text not null,
  invited_by uuid not null references kernel.people (id),
  token_hash bytea not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  constraint invitations_pkey primary key (business_id, id),
  constraint invitations_email_key unique (business_id, email),
  constraint invitations_role_check
    check (role in ('owner', 'admin', 'approver', 'member', 'viewer')),
  constraint invitations_hash_check check (length(token_hash) = 32)
);
create index invitations_token on kernel.invitations (business_id, token_hash);
