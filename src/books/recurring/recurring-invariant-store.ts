import type { Sql } from '../../kernel/db/database.ts'
import type { Violation } from '../../kernel/db/invariant.ts'

// Every number before the next one has its row, every row that is not skipped has what it made or
// waits, and a journal is in the books if and only if its row says so.
export async function listMismadePeriods(sql: Sql, limit: number): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select business_id, environment, schedule_id, problem
    from (
      select
        schedule.business_id, schedule.environment, schedule.id as schedule_id,
        'its periods and their count differ' as problem
      from books.recurring_schedules as schedule
      left join books.recurring_periods as period
        on period.business_id = schedule.business_id
        and period.environment = schedule.environment
        and period.schedule_id = schedule.id
      group by
        schedule.business_id, schedule.environment, schedule.id, schedule.next_number,
        schedule.made_count, schedule.times
      having count(period.number) <> schedule.next_number - 1
        or coalesce(max(period.number), 0) <> schedule.next_number - 1
        or count(period.number) filter (where period.document_id is not null
          or period.journal_id is not null) <> schedule.made_count
        or schedule.made_count > schedule.times
      union all
      select
        period.business_id, period.environment, period.schedule_id,
        'period ' || period.number || ' and its journal differ'
      from books.recurring_periods as period
      left join books.journal_entries as entry
        on entry.business_id = period.business_id
        and entry.environment = period.environment
        and entry.source_id = period.journal_id
        and entry.kind = 'journal.posted'
      where period.journal_id is not null
        and (entry.sequence is not null) <> (period.status = 'made')
      union all
      select
        period.business_id, period.environment, period.schedule_id,
        'period ' || period.number || ' made another kind of document'
      from books.recurring_periods as period
      join books.recurring_schedules as schedule
        on schedule.business_id = period.business_id
        and schedule.environment = period.environment
        and schedule.id = period.schedule_id
      join books.documents as document
        on document.business_id = period.business_id
        and document.environment = period.environment
        and document.id = period.document_id
      where document.kind <> schedule.kind
    ) as violation
    order by business_id, environment, schedule_id
    limit ${limit}`
}
