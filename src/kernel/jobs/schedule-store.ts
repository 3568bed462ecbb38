// The statements of schedules. Outcomes are fenced by the claim id, as for jobs.
import type { Sql } from '../db/database.ts'

export type ClaimedSchedule = {
  readonly name: string
  readonly claimId: string
  readonly leaseUntil: Date
}

export async function insertSchedule(sql: Sql, name: string, nextRunAt: Date): Promise<void> {
  await sql`
    insert into kernel.schedules (name, next_run_at)
    values (${name}, ${nextRunAt})
    on conflict (name) do nothing`
}

// When a release shortens an interval, the run that was planned with the old one moves forward.
export async function updateScheduleLatest(sql: Sql, name: string, latest: Date): Promise<void> {
  await sql`
    update kernel.schedules
    set next_run_at = ${latest}
    where name = ${name}
      and next_run_at > ${latest}`
}

export async function listDueSchedules(sql: Sql, names: string[], now: Date): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name
    from kernel.schedules
    where name = any(${names}::text[])
      and next_run_at <= ${now}
      and (lease_until is null or lease_until <= ${now})
    order by next_run_at`
  return rows.map((row) => row.name)
}

// The condition is checked again on the locked row, so only one of several workers gets it.
export async function lockSchedule(sql: Sql, claim: ClaimedSchedule, now: Date): Promise<boolean> {
  const result = await sql`
    update kernel.schedules
    set claim_id = ${claim.claimId},
      lease_until = ${claim.leaseUntil}
    where name = ${claim.name}
      and next_run_at <= ${now}
      and (lease_until is null or lease_until <= ${now})`
  return result.count === 1
}

export async function updateScheduleLease(
  sql: Sql,
  claim: ClaimedSchedule,
  until: Date,
): Promise<boolean> {
  const result = await sql`
    update kernel.schedules
    set lease_until = ${until}
    where name = ${claim.name}
      and claim_id = ${claim.claimId}`
  return result.count === 1
}

export async function updateScheduleDone(
  sql: Sql,
  claim: ClaimedSchedule,
  outcome: { nextRunAt: Date; endedAt: Date; error: string | null },
): Promise<boolean> {
  const result = await sql`
    update kernel.schedules
    set next_run_at = ${outcome.nextRunAt},
      last_run_at = ${outcome.endedAt},
      last_error = ${outcome.error},
      claim_id = null,
      lease_until = null
    where name = ${claim.name}
      and claim_id = ${claim.claimId}`
  return result.count === 1
}

export async function updateScheduleReleased(sql: Sql, claim: ClaimedSchedule): Promise<boolean> {
  const result = await sql`
    update kernel.schedules
    set claim_id = null,
      lease_until = null
    where name = ${claim.name}
      and claim_id = ${claim.claimId}`
  return result.count === 1
}

// When any worker last finished a run. Shows that at least one worker is alive.
export async function findLatestRun(sql: Sql): Promise<Date | null> {
  const [row] = await sql<{ latest: Date | null }[]>`
    select max(last_run_at) as latest
    from kernel.schedules`
  return row?.latest ?? null
}
