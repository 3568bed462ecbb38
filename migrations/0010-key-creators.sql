-- Every API key has a creator: four eyes look at people, and what a key asks for was asked for by
-- the person who made it. Keys from before get the first owner of their business.
-- On Citus people is a reference table, which a distributed table may point to.

update kernel.api_keys
set created_by = (
  select memberships.person_id
  from kernel.memberships
  where memberships.business_id = api_keys.business_id
    and memberships.role = 'owner'
  order by memberships.created_at, memberships.person_id
  limit 1
)
where created_by is null
  or not exists (
    select
    from kernel.people
    where people.id = api_keys.created_by
  );

-- Nobody can be made up to answer for a key. Businesses made by our commands have an owner.
do $$
declare
  ownerless text;
begin
  select string_agg(distinct business_id::text, ', ')
  into ownerless
  from kernel.api_keys
  where created_by is null;
  if ownerless is not null then
    raise exception
      'these businesses have API keys that nobody made, and no owner to answer for them: %. '
      'Give each an owner (a row in kernel.memberships), or delete those keys.', ownerless;
  end if;
end
$$;

alter table kernel.api_keys
  alter column created_by set not null,
  add foreign key (created_by) references kernel.people (id);

-- What a key of nobody asked for was asked for by nobody, so everybody could approve it. Decided
-- ones stay as they were decided.
update merchant.approvals
set requester_person_id = (
  select api_keys.created_by
  from kernel.api_keys
  where api_keys.business_id = approvals.business_id
    and api_keys.id::text = approvals.requested_by
)
where state = 'pending'
  and requested_by_kind = 'key'
  and requester_person_id is null;

-- TOTP seeds and backup codes are sealed under SECRETS_KEY like every other secret, each bound to
-- its person. What better-auth encrypted before is in the old columns until the next start opens
-- it and seals it anew, which the database cannot do.
alter table kernel.two_factors
  alter column secret drop not null,
  alter column backup_codes drop not null,
  add column secret_sealed bytea,
  add column backup_codes_sealed bytea,
  add check ((secret is null) = (secret_sealed is not null)),
  add check ((backup_codes is null) = (backup_codes_sealed is not null));
