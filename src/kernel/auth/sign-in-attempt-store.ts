import type { Sql } from '../db/database.ts'

export type AttemptWindow = { count: number; windowStartedAt: Date }

// Counted before the password is checked, in one statement, so that a hundred concurrent tries are
// counted a hundred times.
export async function updateAttempts(
  sql: Sql,
  subjectHash: Buffer,
  now: Date,
  windowStart: Date,
): Promise<AttemptWindow | undefined> {
  const [row] = await sql<AttemptWindow[]>`
    insert into kernel.sign_in_attempts as attempts (subject_hash, window_started_at, count)
    values (${subjectHash}, ${now}, 1)
    on conflict (subject_hash) do update
    set
      count = case
        when attempts.window_started_at <= ${windowStart} then 1
        else attempts.count + 1
      end,
      window_started_at = case
        when attempts.window_started_at <= ${windowStart} then ${now}
        else attempts.window_started_at
      end
    returning count, window_started_at`
  return row
}

// A successful try does not count.
export async function updateAttemptsReturned(sql: Sql, subjectHash: Buffer): Promise<void> {
  await sql`
    update kernel.sign_in_attempts
    set count = count - 1
    where subject_hash = ${subjectHash}
      and count > 0`
}

export async function deleteAttempts(sql: Sql, subjectHash: Buffer): Promise<void> {
  await sql`
    delete from kernel.sign_in_attempts
    where subject_hash = ${subjectHash}`
}

export async function deleteAttemptsBefore(sql: Sql, windowStart: Date): Promise<void> {
  await sql`
    delete from kernel.sign_in_attempts
    where window_started_at <= ${windowStart}`
}
