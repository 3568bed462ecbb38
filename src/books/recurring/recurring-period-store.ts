import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'
import type { NamedPeriod, RecurringPeriod } from './recurring-schedule.ts'

// The key of the period makes a second one impossible.
export async function insertPeriod(
  tx: Tx,
  tenant: Tenant,
  { journal, ...period }: RecurringPeriod,
): Promise<void> {
  const { businessId, environment } = tenant
  const row = { businessId, environment, ...period, journal: journal && tx.json(journal) }
  await tx`insert into books.recurring_periods ${tx(row)}`
}

export async function insertSkippedPeriods(
  tx: Tx,
  tenant: Tenant,
  scheduleId: string,
  skipped: {
    readonly periods: readonly { readonly number: number; readonly day: string }[]
    readonly reason: string
    readonly at: Date
  },
): Promise<void> {
  const { periods, reason, at } = skipped
  await tx`
    insert into books.recurring_periods (
      business_id, environment, schedule_id, number, day, status, reason, created_at, ended_at
    )
    select
      ${tenant.businessId}::uuid, ${tenant.environment}, ${scheduleId}::uuid, number, day,
      'skipped', ${reason}, ${at}::timestamptz, ${at}::timestamptz
    from unnest(
      ${periods.map(({ number }) => number)}::integer[],
      ${periods.map(({ day }) => day)}::date[]
    ) as period (number, day)`
}

// False if it is no longer in that state: another worker was quicker.
export async function updatePeriod(
  tx: Tx,
  tenant: Tenant,
  { scheduleId, number, status: before }: RecurringPeriod,
  changes: Partial<Pick<RecurringPeriod, 'status' | 'reason' | 'charge' | 'endedAt'>>,
): Promise<boolean> {
  const updated = await tx`
    update books.recurring_periods
    set ${tx(changes)}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and schedule_id = ${scheduleId}
      and number = ${number}
      and status = ${before}`
  return updated.count === 1
}

export async function findPeriod(
  sql: Sql | Tx,
  tenant: Tenant,
  scheduleId: string,
  number: number,
): Promise<RecurringPeriod | undefined> {
  const [row] = await sql<RecurringPeriod[]>`
    select ${columns(sql)}
    from books.recurring_periods
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and schedule_id = ${scheduleId}
      and number = ${number}`
  return row
}

// The newest first.
export async function listPeriods(
  sql: Sql,
  tenant: Tenant,
  scheduleId: string,
  // Those before this number; undefined for the newest.
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<NamedPeriod[]> {
  return sql<NamedPeriod[]>`
    select
      period.schedule_id, period.number, period.day, period.status, period.document_id,
      period.journal_id, period.journal, period.reason, period.charge, period.charge_note,
      period.created_at, period.ended_at,
      document.kind as document_kind, document.status as document_status,
      document.number as document_number, entry.sequence
    from books.recurring_periods as period
    left join books.documents as document
      on document.business_id = period.business_id
      and document.environment = period.environment
      and document.id = period.document_id
    left join books.journal_entries as entry
      on entry.business_id = period.business_id
      and entry.environment = period.environment
      and entry.source_id = period.journal_id
      and entry.kind = 'journal.posted'
    where period.business_id = ${tenant.businessId}
      and period.environment = ${tenant.environment}
      and period.schedule_id = ${scheduleId}
      ${before === undefined ? sql`` : sql`and period.number < ${before}`}
    order by period.number desc
    limit ${limit}`
}

export type ScheduleOfObject = {
  readonly scheduleId: string
  readonly name: string
  readonly day: string
}

// The schedule that made a document or journal.
export async function findScheduleOfObject(
  sql: Sql,
  tenant: Tenant,
  objectId: string,
): Promise<ScheduleOfObject | undefined> {
  const [row] = await sql<ScheduleOfObject[]>`
    select period.schedule_id, schedule.name, period.day
    from books.recurring_periods as period
    join books.recurring_schedules as schedule
      on schedule.business_id = period.business_id
      and schedule.environment = period.environment
      and schedule.id = period.schedule_id
    where period.business_id = ${tenant.businessId}
      and period.environment = ${tenant.environment}
      and (period.document_id = ${objectId} or period.journal_id = ${objectId})`
  return row
}

// Of all tenants: what a stopped process left between two steps.
export async function listUnfinishedPeriods(
  sql: Sql,
  limit: number,
): Promise<(Tenant & RecurringPeriod)[]> {
  return sql<(Tenant & RecurringPeriod)[]>`
    select business_id, environment, ${columns(sql)}
    from books.recurring_periods
    where status in ('posting', 'sending')
    order by created_at
    limit ${limit}`
}

function columns(sql: Sql | Tx) {
  return sql`
    schedule_id, number, day, status, document_id, journal_id, journal, reason, charge,
    charge_note, created_at, ended_at`
}
