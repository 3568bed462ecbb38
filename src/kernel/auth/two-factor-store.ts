import type { Sql, Tx } from '../db/database.ts'

export type SealedFactor = { secretSealed: Buffer; backupCodesSealed: Buffer }

export async function insertTwoFactor(
  tx: Tx,
  twoFactor: { id: string; personId: string } & SealedFactor,
): Promise<void> {
  await tx`insert into kernel.two_factors ${tx({ ...twoFactor, verified: true })}`
}

// The code that proved it is used up. False if the person has one that may not be replaced.
export async function insertOrReplaceTwoFactor(
  tx: Tx,
  twoFactor: { id: string; personId: string; lastTotpStep: number } & SealedFactor,
  mayReplace: boolean,
): Promise<boolean> {
  const rows = await tx`
    insert into kernel.two_factors ${tx({ ...twoFactor, verified: true })}
    on conflict (person_id) do update
    set secret_sealed = excluded.secret_sealed,
      backup_codes_sealed = excluded.backup_codes_sealed,
      last_totp_step = excluded.last_totp_step,
      verified = true
    where ${mayReplace}
      or not two_factors.verified
    returning id`
  return rows.length > 0
}

export async function findTwoFactor(
  sql: Sql | Tx,
  personId: string,
): Promise<SealedFactor | undefined> {
  const [row] = await sql<SealedFactor[]>`
    select secret_sealed, backup_codes_sealed
    from kernel.two_factors
    where person_id = ${personId}
      and verified`
  return row
}

// With `before`, only if the codes are still as they were read. False if nothing changed.
export async function updateBackupCodes(
  sql: Sql | Tx,
  personId: string,
  sealed: Buffer,
  before?: Buffer,
): Promise<boolean> {
  const rows = await sql`
    update kernel.two_factors
    set backup_codes_sealed = ${sealed}
    where person_id = ${personId}
      and verified
      ${before ? sql`and backup_codes_sealed = ${before}` : sql``}
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
