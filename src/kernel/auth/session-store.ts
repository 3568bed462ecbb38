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

// Returns how many there were.
export async function deleteOtherSessions(
  tx: Tx,
  personId: string,
  sessionId: string,
): Promise<number> {
  const result = await tx`
    delete from kernel.sessions
    where person_id = ${personId}
      and id <> ${sessionId}`
  return result.count
}

export async function updateSessionProven(
  sql: Sql | Tx,
  sessionId: string,
  at: Date,
): Promise<void> {
  await sql`
    update kernel.sessions
    set second_factor_at = ${at}
    where id = ${sessionId}`
}

export async function updateSessionPassword(
  sql: Sql | Tx,
  sessionId: string,
  at: Date,
): Promise<void> {
  await sql`
    update kernel.sessions
    set password_at = ${at}
    where id = ${sessionId}`
}

// Waits for a change of the session that is under way. Undefined if it has ended.
export async function lockSession(
  tx: Tx,
  personId: string,
  sessionId: string,
): Promise<{ secondFactorAt: Date | null } | undefined> {
  const [row] = await tx<{ secondFactorAt: Date | null }[]>`
    select second_factor_at
    from kernel.sessions
    where id = ${sessionId}
      and person_id = ${personId}
    for update`
  return row
}

export type OpenSession = {
  readonly sessionId: string
  readonly address: string | null
  readonly userAgent: string | null
  readonly lastSeenAt: Date
  readonly createdAt: Date
}

// The one that was used last comes first.
export async function listOpenSessions(
  sql: Sql,
  personId: string,
  now: Date,
  idleSince: Date,
): Promise<OpenSession[]> {
  return sql<OpenSession[]>`
    select id as session_id, ip_address as address, user_agent, last_seen_at, created_at
    from kernel.sessions
    where person_id = ${personId}
      and expires_at > ${now}
      and last_seen_at > ${idleSince}
    order by last_seen_at desc, id`
}

// Undefined once the session has ended or the person was removed from the business.
export async function findSessionOfMember(
  sql: Sql,
  businessId: string,
  sessionId: string,
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select sessions.id
    from kernel.sessions
    join kernel.memberships on memberships.person_id = sessions.person_id
    where memberships.business_id = ${businessId}
      and sessions.id = ${sessionId}`
  return row?.id
}

// False if there is none, or it is someone else's.
export async function deleteOwnSession(
  tx: Tx,
  personId: string,
  sessionId: string,
): Promise<boolean> {
  const result = await tx`
    delete from kernel.sessions
    where id = ${sessionId}
      and person_id = ${personId}`
  return result.count === 1
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
