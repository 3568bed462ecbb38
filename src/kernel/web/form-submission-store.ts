import type { Sql } from '../db/database.ts'

export type SubmissionKey = {
  readonly personId: string
  readonly token: string
}

export type Submission = {
  readonly location: string | null
  readonly message: string | null
  readonly createdAt: Date
}

// False if the form was submitted before.
export async function insertSubmission(
  sql: Sql,
  key: SubmissionKey,
  createdAt: Date,
): Promise<boolean> {
  const rows = await sql`
    insert into kernel.form_submissions ${sql({ ...key, createdAt })}
    on conflict do nothing
    returning token`
  return rows.length > 0
}

export async function findSubmission(
  sql: Sql,
  { personId, token }: SubmissionKey,
): Promise<Submission | undefined> {
  const [row] = await sql<Submission[]>`
    select location, message, created_at
    from kernel.form_submissions
    where person_id = ${personId}
      and token = ${token}`
  return row
}

export async function updateSubmissionDone(
  sql: Sql,
  { personId, token }: SubmissionKey,
  { location, message }: { location: string; message: string | null },
): Promise<void> {
  await sql`
    update kernel.form_submissions
    set location = ${location},
      message = ${message}
    where person_id = ${personId}
      and token = ${token}`
}

export async function deleteSubmission(
  sql: Sql,
  { personId, token }: SubmissionKey,
): Promise<void> {
  await sql`
    delete from kernel.form_submissions
    where person_id = ${personId}
      and token = ${token}`
}

export async function deleteSubmissionsBefore(sql: Sql, before: Date): Promise<void> {
  await sql`
    delete from kernel.form_submissions
    where created_at < ${before}`
}
