import { z } from 'zod'
import { listPasskeys, type Passkey } from '../auth/passkey-store.ts'
import { hasPasskeys } from '../auth/passkeys.ts'
import { findLinkOfPerson } from '../auth/person-link-store.ts'
import { findPerson } from '../auth/person-store.ts'
import { openFactor } from '../auth/second-factor.ts'
import { findTwoFactor } from '../auth/two-factor-store.ts'
import { notFound } from '../basics/fault.ts'
import { requirePerson } from '../operations/permission.ts'
import { defineOperation, ownAccount } from './define-operation.ts'

export type OwnPasskey = Pick<Passkey, 'id' | 'name' | 'createdAt' | 'lastUsedAt'>

export type OwnAccount = {
  readonly name: string
  readonly email: string
  // An address that waits for its confirmation.
  readonly newEmail: string | null
  readonly hasSecondFactor: boolean
  readonly backupCodesLeft: number
  readonly passkeys: readonly OwnPasskey[]
  // False if the address of this server has no name, as on a machine for trials.
  readonly mayHavePasskeys: boolean
}

export const getOwnAccount = defineOperation({
  name: 'get-own-account',
  summary: 'Read your own account: name, address and second factor',
  kind: 'read',
  input: z.strictObject({}),
  ...ownAccount,
  async run({ database: { sql }, clock, secrets, publicUrl }, actor): Promise<OwnAccount> {
    const { personId } = requirePerson(actor)
    const [person, change, factor, passkeys] = await Promise.all([
      findPerson(sql, personId),
      findLinkOfPerson(sql, 'email_change', personId, clock.now()),
      findTwoFactor(sql, personId),
      listPasskeys(sql, personId),
    ])
    if (!person) throw notFound('person')
    const { backupCodes } = factor ? openFactor(secrets, personId, factor) : { backupCodes: [] }
    return {
      ...person,
      newEmail: change?.newEmail ?? null,
      backupCodesLeft: backupCodes.length,
      passkeys,
      mayHavePasskeys: hasPasskeys(publicUrl),
    }
  },
})
