import { z } from 'zod'
import { findLinkOfPerson } from '../auth/person-link-store.ts'
import { findPerson } from '../auth/person-store.ts'
import { openFactor } from '../auth/second-factor.ts'
import { findTwoFactor } from '../auth/two-factor-store.ts'
import { notFound } from '../basics/fault.ts'
import { requirePerson } from '../operations/permission.ts'
import { defineOperation, ownAccount } from './define-operation.ts'

export type OwnAccount = {
  readonly name: string
  readonly email: string
  // An address that waits for its confirmation.
  readonly newEmail: string | null
  readonly hasSecondFactor: boolean
  readonly backupCodesLeft: number
}

export const getOwnAccount = defineOperation({
  name: 'get-own-account',
  summary: 'Read your own account: name, address and second factor',
  kind: 'read',
  input: z.strictObject({}),
  ...ownAccount,
  async run({ database: { sql }, clock, secrets }, actor): Promise<OwnAccount> {
    const { personId } = requirePerson(actor)
    const [person, change, factor] = await Promise.all([
      findPerson(sql, personId),
      findLinkOfPerson(sql, 'email_change', personId, clock.now()),
      findTwoFactor(sql, personId),
    ])
    if (!person) throw notFound('person')
    const { backupCodes } = factor ? openFactor(secrets, personId, factor) : { backupCodes: [] }
    return {
      ...person,
      newEmail: change?.newEmail ?? null,
      backupCodesLeft: backupCodes.length,
    }
  },
})
