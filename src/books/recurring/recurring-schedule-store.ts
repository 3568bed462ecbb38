// The statements of schedules. The caller has locked the row before it changes one.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import { findShownName } from '../contacts/merged-contact-store.ts'
import type {
  ListedSchedule,
  RecurringKind,
  RecurringSchedule,
  RecurringStatus,
} from './recurring-schedule.ts'

export async function insertSchedule(
  tx: Tx,
  tenant: Tenant,
  { template, ...schedule }: RecurringSchedule,
): Promise<void> {
  const { businessId, environment } = tenant
  const row = { businessId, environment, ...schedule, template: tx.json(template) }
  await tx`insert into books.recurring_schedules ${tx(row)}`
}

export async function findSchedule(
  sql: Sql | Tx,
  tenant: Tenant,
  id: string,
): Promise<RecurringSchedule | undefined> {
  const [row] = await sql<RecurringSchedule[]>`
    select ${columns(sql)}
    from books.recurring_schedules
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
  return row
}

// Of two workers that find the same schedule due, the second waits here and then finds it no longer
// due.
export async function lockSchedule(
  tx: Tx,
  tenant: Tenant,
  id: string,
): Promise<RecurringSchedule | undefined> {
  const [row] = await tx<RecurringSchedule[]>`
    select ${columns(tx)}
    from books.recurring_schedules
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}
    for update`
  return row
}

export async function updateSchedule(
  tx: Tx,
  tenant: Tenant,
  id: string,
  { template, ...changes }: Partial<Omit<RecurringSchedule, 'id' | 'kind'>>,
): Promise<void> {
  const row = { ...changes, ...(template && { template: tx.json(template) }) }
  await tx`
    update books.recurring_schedules
    set ${tx(row)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

// The next one first; ended ones last.
export async function listSchedules(
  sql: Sql,
  tenant: Tenant,
  wanted: { readonly kind?: RecurringKind; readonly status?: RecurringStatus },
  limit: number,
): Promise<ListedSchedule[]> {
  return sql<ListedSchedule[]>`
    select
      ${columns(sql)}, contact_name, last_day, last_document_id, last_number
    from (
      select
        schedule.*, ${findShownName(sql, tenant)} as contact_name, made.day as last_day,
        made.document_id as last_document_id, document.number as last_number
      from books.recurring_schedules as schedule
      left join books.contacts as contact
        on contact.business_id = schedule.business_id
        and contact.environment = schedule.environment
        and contact.id = schedule.contact_id
      left join lateral (
        select day, document_id
        from books.recurring_periods as period
        where period.business_id = schedule.business_id
          and period.environment = schedule.environment
          and period.schedule_id = schedule.id
          and period.status <> 'skipped'
        order by period.number desc
        limit 1
      ) as made on true
      left join books.documents as document
        on document.business_id = schedule.business_id
        and document.environment = schedule.environment
        and document.id = made.document_id
      where schedule.business_id = ${tenant.businessId}
        and schedule.environment = ${tenant.environment}
        ${wanted.kind ? sql`and schedule.kind = ${wanted.kind}` : sql``}
        ${wanted.status ? sql`and schedule.status = ${wanted.status}` : sql``}
    ) as listed
    order by next_day nulls last, name, id
    limit ${limit}`
}

export type DueSchedule = Tenant & { readonly id: string; readonly nextDay: string }

// Of all tenants: the longest due first, after the given one.
export async function listDueSchedules(
  sql: Sql,
  due: { readonly day: string; readonly now: Date; readonly after: DueSchedule | undefined },
  limit: number,
): Promise<DueSchedule[]> {
  const { day, now, after } = due
  return sql<DueSchedule[]>`
    select business_id, environment, id, next_day
    from books.recurring_schedules
    where status = 'active'
      and next_day <= ${day}
      and try_at <= ${now}
      ${after ? sql`and (next_day, id) > (${after.nextDay}::date, ${after.id}::uuid)` : sql``}
    order by next_day, id
    limit ${limit}`
}

function columns(sql: Sql | Tx) {
  return sql`
    id, kind, name, contact_id, template, currency, total_minor, mode, subscription_id,
    charge_max_minor, interval_unit, interval_count, anchor_day, anchor_number, end_day, times,
    status, next_number, next_day, made_count, author_person_id, problem, try_at, created_at,
    updated_at, version`
}
