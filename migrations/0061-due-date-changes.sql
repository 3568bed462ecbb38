-- Which due date an open item had before a day: a report of an earlier day shows what was agreed
-- then.
create table books.due_date_changes (
  business_id uuid not null,
  environment text not null,
  id uuid not null,
  item_id uuid not null,
  -- In the time zone of the organisation.
  changed_on date not null,
  former_due_date date not null,
  primary key (business_id, environment, id),
  foreign key (business_id, environment, item_id)
    references books.open_items (business_id, environment, id)
);

create index due_date_changes_by_item
  on books.due_date_changes (business_id, environment, item_id, id);

insert into books.due_date_changes
  (business_id, environment, id, item_id, changed_on, former_due_date)
select
  act.business_id, act.environment, act.id, item.id,
  (act.at at time zone organisation.time_zone)::date, (act.detail ->> 'from')::date
from kernel.audit_log as act
join books.open_items as item
  on item.business_id = act.business_id
  and item.environment = act.environment
  and item.id::text = act.object_id::text
join books.organisations as organisation
  on organisation.business_id = act.business_id
  and organisation.environment = act.environment
where act.action like '%.change_due_date'
  and act.detail ? 'from';
