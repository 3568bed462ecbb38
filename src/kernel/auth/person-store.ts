import type { Sql, Tx } from '../db/database.ts'

export type SealedFactor = { secretSealed: Buffer; backupCodesSealed: Buffer }

export type PersonRow = {
  id: string
  email: string
  name: string
  twoFactorEnabled: boolean
  createdAt: Date
}

export async function insertPerson(tx: Tx, person: PersonRow): Promise<void> {
  await tx`
    insert into kernel.people
    ${tx({ ...person, emailVerified: true, updatedAt: person.createdAt })}`
}

// The provider id `credential` and the person's own id are how better-auth marks a password.
export async function insertPassword(
  tx: Tx,
  credential: { id: string; personId: string; password: string; createdAt: Date },
): Promise<void> {
  await tx`
    insert into kernel.credentials
    ${tx({
      ...credential,
      providerId: 'credential',
      accountId: credential.personId,
      updatedAt: credential.createdAt,
    })}`
}

export async function insertTwoFactor(
  tx: Tx,
  twoFactor: { id: string; personId: string } & SealedFactor,
): Promise<void> {
  await tx`insert into kernel.two_factors ${tx({ ...twoFactor, verified: true })}`
}

export async function findPersonByEmail(
  sql: Sql | Tx,
  email: string,
): Promise<{ personId: string; name: string } | undefined> {
  const [row] = await sql<{ personId: string; name: string }[]>`
    select id as person_id, name
    from kernel.people
    where email = ${email}`
  return row
}

export async function findTotpSecret(sql: Sql, personId: string): Promise<Buffer | undefined> {
  const [row] = await sql<{ secretSealed: Buffer }[]>`
    select secret_sealed
    from kernel.two_factors
    where person_id = ${personId}
      and verified`
  return row?.secretSealed
}

export async function listUnsealedTwoFactors(
  sql: Sql,
): Promise<{ personId: string; secret: string; backupCodes: string }[]> {
  return sql<{ personId: string; secret: string; backupCodes: string }[]>`
    select person_id, secret, backup_codes
    from kernel.two_factors
    where secret is not null
      and backup_codes is not null`
}

export async function updateTwoFactorSealed(
  sql: Sql,
  personId: string,
  { secretSealed, backupCodesSealed }: SealedFactor,
): Promise<void> {
  await sql`
    update kernel.two_factors
    set secret = null,
      backup_codes = null,
      secret_sealed = ${secretSealed},
      backup_codes_sealed = ${backupCodesSealed}
    where person_id = ${personId}
      and secret is not null`
}

// The condition makes it a claim: of two requests with one code, one gets no row.
export async function updateTotpStep(sql: Sql, personId: string, step: number): Promise<boolean> {
  const rows = await sql`
    update kernel.two_factors
    set last_totp_step = ${step}
    where person_id = ${personId}
      and (last_totp_step is null or last_totp_step < ${step})
    returning id`
  return rows.length > 0
}

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

export async function deleteSessionsOfPerson(sql: Sql | Tx, personId: string): Promise<void> {
  await sql`
    delete from kernel.sessions
    where person_id = ${personId}`
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

// Several processes may start at once on a fresh database; the first one's secret stays.
export async function findOrInsertPeopleSecret(sql: Sql, sealed: Buffer): Promise<Buffer> {
  await sql`
    insert into kernel.people_secrets (id, sealed)
    values (1, ${sealed})
    on conflict (id) do nothing`
  const [row] = await sql<{ sealed: Buffer }[]>`
    select sealed
    from kernel.people_secrets
    where id = 1`
  return row?.sealed ?? sealed
}
