-- Manual journals that people post now and then, without a day.
create table books.journal_templates (
  business_id uuid not null,
  environment text not null,
  id uuid not null,
  name text not null,
  journal jsonb not null,
  created_at timestamptz not null,
  primary key (business_id, environment, id),
  foreign key (business_id, environment) references books.organisations (business_id, environment),
  constraint journal_templates_name unique (business_id, environment, name)
);
