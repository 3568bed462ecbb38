import type { Sql, Tx } from '../db/database.ts'

export async function updateSessionSeen(sql: Sql, sessionId: string, seenAt: Date): Promise<void> {
  await sql`
    update kernel.sessions
    set last_seen_at = ${seenAt}
    where id = ${sessionId}
      and last_seen_at < ${seenAt}`
}

export async function deleteSession(sql: Sql | Tx, sessionId: string): Promise<void> {
  await sql`
    delete from kernel.sessions
    where id = ${sessionId}`
}

// Returns how many there were.
export async function deleteSessionsOfPerson(sql: Sql | Tx, personId: string): Promise<number> {
  const result = await sql`
    delete from kernel.sessions
    where person_id = ${personId}`
  return result.count
}

export async function deleteOtherSessions(
  tx: Tx,
  personId: string,
  sessionId: string,
): Promise<void> {
  await tx`
    delete from kernel.sessions
    where person_id = ${personId}
      and id <> ${sessionId}`
}

export async function updateSessionProven(tx: Tx, sessionId: string, at: Date): Promise<void> {
  await tx`
    update kernel.sessions
    set second_factor_at = ${at}
    where id = ${sessionId}`
}

export async function deleteEndedSessions(sql: Sql, now: Date, idleSince: Date): Promise<void> {
  await sql`
    delete from kernel.sessions
    where expires_at <= ${now}
      or last_seen_at <= ${idleSince}`
}

export async function deleteEndedVerifications(sql: Sql, now: Date): Promise<void> {
  await sql`
    delete from kernel.verifications
    where expires_at <= ${now}`
}
