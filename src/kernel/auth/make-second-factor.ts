// Creates a second factor: what its owner sees once, and what is stored encrypted.
import type { Ids } from '../basics/id.ts'
import type { NewSecondFactor } from './person.ts'
import { makeBackupCodes, makeTotpSeed, otpauthUrl, totpSecretText } from './person-totp.ts'
import { sealFactor } from './second-factor.ts'
import type { Secrets } from './secrets.ts'
import type { SealedFactor } from './two-factor-store.ts'

export function makeSecondFactor(
  { ids }: { readonly ids: Ids },
  secrets: Secrets,
  { personId, email }: { readonly personId: string; readonly email: string },
): { shown: NewSecondFactor; stored: SealedFactor } {
  const seed = makeTotpSeed(ids)
  const backupCodes = makeBackupCodes(ids)
  const totpSecret = totpSecretText(seed)
  return {
    shown: { totpSecret, otpauthUrl: otpauthUrl(email, totpSecret), backupCodes },
    stored: sealFactor(secrets, personId, { seed, backupCodes }),
  }
}
