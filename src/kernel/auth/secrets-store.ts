// The canary: one row that only the right SECRETS_KEY opens. A service that starts with the wrong
// key would otherwise find out in the middle of a payout.
import type { Sql } from '../db/database.ts'
import { canaryRow, type Secrets, SecretsError } from './secrets.ts'

const canaryText = 'tillbook'

export async function checkSecretsCanary(sql: Sql, secrets: Secrets): Promise<void> {
  // Two processes may start at once on a fresh database; the first one's canary stays.
  await sql`
    insert into kernel.secrets_canary (id, sealed)
    values (1, ${secrets.seal(canaryText, canaryRow)})
    on conflict (id) do nothing`
  const [row] = await sql<{ sealed: Buffer }[]>`
    select sealed
    from kernel.secrets_canary
    where id = 1`
  if (row && secrets.open(row.sealed, canaryRow).toString() !== canaryText) {
    throw new SecretsError('the canary holds another text')
  }
}

// The first byte of what is sealed is the version of its key.
export async function listOutdatedCanaries(
  sql: Sql,
  version: number,
  limit: number,
): Promise<{ sealed: Buffer }[]> {
  return sql<{ sealed: Buffer }[]>`
    select sealed
    from kernel.secrets_canary
    where get_byte(sealed, 0) <> ${version}
    limit ${limit}`
}

export async function updateCanary(
  sql: Sql,
  { sealed }: { sealed: Buffer },
  resealed: Buffer,
): Promise<void> {
  await sql`
    update kernel.secrets_canary
    set sealed = ${resealed}
    where sealed = ${sealed}`
}

export async function listOutdatedPeopleSecrets(
  sql: Sql,
  version: number,
  limit: number,
): Promise<{ sealed: Buffer }[]> {
  return sql<{ sealed: Buffer }[]>`
    select sealed
    from kernel.people_secrets
    where get_byte(sealed, 0) <> ${version}
    limit ${limit}`
}

export async function updatePeopleSecret(
  sql: Sql,
  { sealed }: { sealed: Buffer },
  resealed: Buffer,
): Promise<void> {
  await sql`
    update kernel.people_secrets
    set sealed = ${resealed}
    where sealed = ${sealed}`
}

type SealedOfPerson = { personId: string; sealed: Buffer }

export async function listOutdatedSeeds(
  sql: Sql,
  version: number,
  limit: number,
): Promise<SealedOfPerson[]> {
  return sql<SealedOfPerson[]>`
    select person_id, secret_sealed as sealed
    from kernel.two_factors
    where get_byte(secret_sealed, 0) <> ${version}
    limit ${limit}`
}

export async function updateSeed(
  sql: Sql,
  { personId, sealed }: SealedOfPerson,
  resealed: Buffer,
): Promise<void> {
  await sql`
    update kernel.two_factors
    set secret_sealed = ${resealed}
    where person_id = ${personId}
      and secret_sealed = ${sealed}`
}

export async function listOutdatedBackupCodes(
  sql: Sql,
  version: number,
  limit: number,
): Promise<SealedOfPerson[]> {
  return sql<SealedOfPerson[]>`
    select person_id, backup_codes_sealed as sealed
    from kernel.two_factors
    where get_byte(backup_codes_sealed, 0) <> ${version}
    limit ${limit}`
}

export async function updateBackupCodes(
  sql: Sql,
  { personId, sealed }: SealedOfPerson,
  resealed: Buffer,
): Promise<void> {
  await sql`
    update kernel.two_factors
    set backup_codes_sealed = ${resealed}
    where person_id = ${personId}
      and backup_codes_sealed = ${sealed}`
}
