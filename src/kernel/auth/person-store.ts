import type { Sql, Tx } from '../db/database.ts'

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

// better-auth marks a password with the provider id `credential` and the person's own id.
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

export async function updatePassword(
  tx: Tx,
  personId: string,
  password: string,
  updatedAt: Date,
): Promise<void> {
  await tx`
    update kernel.credentials
    set password = ${password},
      updated_at = ${updatedAt}
    where person_id = ${personId}
      and provider_id = 'credential'`
}

export async function findPasswordHash(
  sql: Sql | Tx,
  personId: string,
): Promise<string | undefined> {
  const [row] = await sql<{ password: string | null }[]>`
    select password
    from kernel.credentials
    where person_id = ${personId}
      and provider_id = 'credential'`
  return row?.password ?? undefined
}

export async function findPerson(
  sql: Sql | Tx,
  personId: string,
): Promise<{ name: string; email: string; hasSecondFactor: boolean } | undefined> {
  const [row] = await sql<{ name: string; email: string; hasSecondFactor: boolean }[]>`
    select name, email, two_factor_enabled as has_second_factor
    from kernel.people
    where id = ${personId}`
  return row
}

export async function updatePersonName(
  tx: Tx,
  personId: string,
  name: string,
  updatedAt: Date,
): Promise<void> {
  await tx`
    update kernel.people
    set name = ${name},
      updated_at = ${updatedAt}
    where id = ${personId}`
}

export async function updatePersonEmail(
  tx: Tx,
  personId: string,
  email: string,
  updatedAt: Date,
): Promise<void> {
  await tx`
    update kernel.people
    set email = ${email},
      updated_at = ${updatedAt}
    where id = ${personId}`
}

export type FoundPerson = {
  readonly personId: string
  readonly name: string
  readonly hasSecondFactor: boolean
}

export async function findPersonByEmail(
  sql: Sql | Tx,
  email: string,
): Promise<FoundPerson | undefined> {
  const [row] = await sql<FoundPerson[]>`
    select id as person_id, name, two_factor_enabled as has_second_factor
    from kernel.people
    where email = ${email}`
  return row
}

// `resetAt` is when someone else reset it; null keeps the earlier time, if any.
export async function updateSecondFactorUse(
  tx: Tx,
  personId: string,
  use: { isEnabled: boolean; resetAt: Date | null; updatedAt: Date },
): Promise<void> {
  await tx`
    update kernel.people
    set two_factor_enabled = ${use.isEnabled},
      second_factor_reset_at = coalesce(${use.resetAt}, second_factor_reset_at),
      updated_at = ${use.updatedAt}
    where id = ${personId}`
}

export async function findSecondFactorResetAt(
  sql: Sql | Tx,
  personId: string,
): Promise<Date | null> {
  const [row] = await sql<{ secondFactorResetAt: Date | null }[]>`
    select second_factor_reset_at
    from kernel.people
    where id = ${personId}`
  return row?.secondFactorResetAt ?? null
}

// Several processes may start at once on a new database. The first one's secret stays.
// Serialises what happens once in the life of an installation, such as its set-up.
export async function lockPeopleSecret(tx: Tx): Promise<void> {
  await tx`
    select id
    from kernel.people_secrets
    where id = 1
    for update`
}

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
