// A code of the second factor works once: a one-time code by claiming its time step, a backup code
// by removing it from the list. Of two requests with one code, one wins.
import type { Context } from '../db/context.ts'
import { findTotpStep } from './person-totp.ts'
import { backupCodesRow, openFactor, seedRow } from './second-factor.ts'
import type { Secrets } from './secrets.ts'
import {
  findTotpSecret,
  findTwoFactor,
  updateBackupCodes,
  updateTotpStep,
} from './two-factor-store.ts'

export type SpentCode = 'right' | 'wrong' | 'used'

type CodeContext = Pick<Context, 'database' | 'clock'>

export async function spendCode(
  { database: { sql }, clock }: CodeContext,
  secrets: Secrets,
  personId: string,
  code: string,
): Promise<SpentCode> {
  const sealed = await findTotpSecret(sql, personId)
  if (!sealed) return 'wrong'
  const seed = secrets.open(sealed, seedRow(personId)).toString()
  const step = findTotpStep(seed, code, clock.now())
  if (step === undefined) return 'wrong'
  return (await updateTotpStep(sql, personId, step)) ? 'right' : 'used'
}

// A used backup code is no longer known, so it is wrong.
export async function spendBackupCode(
  { database: { sql } }: CodeContext,
  secrets: Secrets,
  personId: string,
  code: string,
): Promise<SpentCode> {
  const factor = await findTwoFactor(sql, personId)
  if (!factor) return 'wrong'
  const { backupCodes } = openFactor(secrets, personId, factor)
  const left = backupCodes.filter((one) => one !== code)
  if (left.length === backupCodes.length) return 'wrong'
  const sealed = secrets.seal(JSON.stringify(left), backupCodesRow(personId))
  const isOurs = await updateBackupCodes(sql, personId, sealed, factor.backupCodesSealed)
  return isOurs ? 'right' : 'used'
}
