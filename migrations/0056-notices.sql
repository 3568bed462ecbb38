-- Mails to the people of a business about what happened or waits for them. A notice is a row of the
-- transaction of its fact; a job turns it into one mail for each person, once.
create table kernel.notices (
  business_id uuid not null references kernel.businesses (id),
  environment text not null,
  id uuid not null,
  kind text not null,
  -- Of several facts with the same key, only the first is mailed.
  fact text not null,
  subject text not null,
  lines text[] not null,
  -- The page that shows it, below the business.
  path text not null,
  -- Only these roles; null for everyone who wants mails of this kind.
  roles text[],
  -- The person who caused it and needs no mail about it.
  except_person_id uuid,
  created_at timestamptz not null,
  mailed_at timestamptz,
  constraint notices_pkey primary key (business_id, environment, id),
  constraint notices_fact_key unique (business_id, environment, fact),
  constraint notices_environment_check check (environment = 'live')
);

-- What a person chose. Without a row the default of their role counts.
create table kernel.notification_choices (
  business_id uuid not null references kernel.businesses (id),
  person_id uuid not null references kernel.people (id),
  kind text not null,
  is_on boolean not null,
  constraint notification_choices_pkey primary key (business_id, person_id, kind)
);
