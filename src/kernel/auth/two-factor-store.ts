import type { Sql, Tx } from '../db/database.ts'

export type SealedFactor = { secretSealed: Buffer; backupCodesSealed: Buffer }

export async function insertTwoFactor(
  tx: Tx,
  twoFactor: { id: string; personId: string } & SealedFactor,
): Promise<void> {
  await tx`insert into kernel.two_factors ${tx({ ...twoFactor, verified: true })}`
}

// False if the person already has one.
export async function insertOrUpdateUnverified(
  sql: Sql,
  twoFactor: { id: string; personId: string } & SealedFactor,
): Promise<boolean> {
  const rows = await sql`
    insert into kernel.two_factors ${sql({ ...twoFactor, verified: false })}
    on conflict (person_id) do update
    set secret_sealed = excluded.secret_sealed,
      backup_codes_sealed = excluded.backup_codes_sealed,
      last_totp_step = null
    where not two_factors.verified
    returning id`
  return rows.length > 0
}

export async function findUnverifiedTwoFactor(
  sql: Sql,
  personId: string,
): Promise<SealedFactor | undefined> {
  const [row] = await sql<SealedFactor[]>`
    select secret_sealed, backup_codes_sealed
    from kernel.two_factors
    where person_id = ${personId}
      and not verified`
  return row
}

// The code that proved it is used up. False if another request was faster.
export async function updateTwoFactorVerified(
  tx: Tx,
  personId: string,
  step: number,
): Promise<boolean> {
  const rows = await tx`
    update kernel.two_factors
    set verified = true,
      last_totp_step = ${step}
    where person_id = ${personId}
      and not verified
    returning id`
  return rows.length > 0
}

export async function deleteTwoFactor(tx: Tx, personId: string): Promise<void> {
  await tx`
    delete from kernel.two_factors
    where person_id = ${personId}`
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
