// By person and so without a tenant: a person may work for several businesses.
import type { Sql, Tx } from '../db/database.ts'

export type Passkey = {
  readonly personId: string
  readonly id: string
  readonly credentialId: string
  readonly publicKey: Buffer
  readonly counter: bigint
  readonly transports: readonly string[]
  readonly name: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

// False if the authenticator's passkey is known already.
export async function insertPasskey(
  tx: Tx,
  passkey: Omit<Passkey, 'lastUsedAt'>,
): Promise<boolean> {
  const row = { ...passkey, transports: [...passkey.transports] }
  const rows = await tx`
    insert into kernel.passkeys ${tx(row)}
    on conflict (credential_id) do nothing
    returning id`
  return rows.length > 0
}

export async function listPasskeys(sql: Sql | Tx, personId: string): Promise<Passkey[]> {
  return sql<Passkey[]>`
    select ${columns(sql)}
    from kernel.passkeys
    where person_id = ${personId}
    order by created_at, id`
}

// By what the authenticator names, before the person is known.
export async function findPasskey(
  sql: Sql | Tx,
  credentialId: string,
): Promise<Passkey | undefined> {
  const [row] = await sql<Passkey[]>`
    select ${columns(sql)}
    from kernel.passkeys
    where credential_id = ${credentialId}`
  return row
}

export async function updatePasskeyName(
  tx: Tx,
  personId: string,
  id: string,
  name: string,
): Promise<boolean> {
  const result = await tx`
    update kernel.passkeys
    set name = ${name}
    where person_id = ${personId}
      and id = ${id}`
  return result.count === 1
}

export async function updatePasskeyUsed(
  sql: Sql,
  { personId, id }: Pick<Passkey, 'personId' | 'id'>,
  counter: number,
  usedAt: Date,
): Promise<void> {
  await sql`
    update kernel.passkeys
    set counter = ${counter},
      last_used_at = ${usedAt}
    where person_id = ${personId}
      and id = ${id}`
}

export async function deletePasskey(
  tx: Tx,
  personId: string,
  id: string,
): Promise<{ name: string } | undefined> {
  const [row] = await tx<{ name: string }[]>`
    delete from kernel.passkeys
    where person_id = ${personId}
      and id = ${id}
    returning name`
  return row
}

export async function deletePasskeysOfPerson(tx: Tx, personId: string): Promise<void> {
  await tx`
    delete from kernel.passkeys
    where person_id = ${personId}`
}

// False if it was answered before.
export async function insertSpentChallenge(
  sql: Sql | Tx,
  challengeHash: Buffer,
  expiresAt: Date,
): Promise<boolean> {
  const rows = await sql`
    insert into kernel.spent_challenges ${sql({ challengeHash, expiresAt })}
    on conflict do nothing
    returning challenge_hash`
  return rows.length > 0
}

export async function deleteSpentChallenges(sql: Sql, now: Date): Promise<void> {
  await sql`
    delete from kernel.spent_challenges
    where expires_at <= ${now}`
}

function columns(sql: Sql | Tx) {
  return sql`person_id, id, credential_id, public_key, counter, transports, name, created_at,
    last_used_at`
}
