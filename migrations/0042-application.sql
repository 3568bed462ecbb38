-- Each form of the application carries a token. Submitting it claims the token, so that a double
-- click or a repeated submit acts once. The row says where the person goes afterwards; without a
-- location the outcome is not known yet.
create table kernel.form_submissions (
  person_id uuid not null,
  token uuid not null,
  location text,
  message text,
  created_at timestamptz not null,
  primary key (person_id, token)
);

create index form_submissions_created on kernel.form_submissions (created_at);

-- The timeline of an object: who did what to it, and which events it sent.
create index audit_log_object on kernel.audit_log (business_id, environment, object_id);
create index events_object on kernel.events (business_id, environment, object_id);
