-- Notices that the application shows to a person. The job that mails a notice adds them.
create table kernel.shown_notices (
  business_id uuid not null,
  environment text not null,
  person_id uuid not null references kernel.people (id),
  -- Ids begin with the time, so this is also the order.
  notice_id uuid not null,
  read_at timestamptz,
  constraint shown_notices_pkey primary key (business_id, environment, person_id, notice_id),
  constraint shown_notices_notice_fkey foreign key (business_id, environment, notice_id)
    references kernel.notices (business_id, environment, id)
);

create index shown_notices_unread on kernel.shown_notices
  (business_id, environment, person_id, notice_id)
where read_at is null;

create index shown_notices_of_notice on kernel.shown_notices (business_id, environment, notice_id);

-- Whether the person also wants the kind in the application; null for the default of their role.
alter table kernel.notification_choices
  add column is_shown boolean;
