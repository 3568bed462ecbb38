import { z } from 'zod'
import { mailPerson } from '../auth/mail-person.ts'
import { findPerson } from '../auth/person-store.ts'
import { makeBackupCodes } from '../auth/person-totp.ts'
import { recordOwnAct } from '../auth/record-own-act.ts'
import { backupCodesRow } from '../auth/second-factor.ts'
import { updateBackupCodes } from '../auth/two-factor-store.ts'
import { Fault } from '../basics/fault.ts'
import { requirePerson } from '../operations/permission.ts'
import { defineOperation, ownAccount } from './define-operation.ts'

export const renewBackupCodes = defineOperation({
  name: 'renew-backup-codes',
  summary: 'Make new backup codes for your own account; the old ones stop working',
  kind: 'write',
  input: z.strictObject({}),
  ...ownAccount,
  async run(context, actor): Promise<readonly string[]> {
    const { personId } = requirePerson(actor)
    const codes = makeBackupCodes(context.ids)
    const sealed = context.secrets.seal(JSON.stringify(codes), backupCodesRow(personId))
    await context.database.transaction(async (tx) => {
      if (!(await updateBackupCodes(tx, personId, sealed))) {
        throw new Fault('conflict', 'Set up an authenticator app first.')
      }
      await recordOwnAct(tx, context, personId, { action: 'person.renew_backup_codes' })
      const person = await findPerson(tx, personId)
      if (person) await mailPerson(tx, context, person.email, letter)
    })
    return codes
  },
})

const letter = {
  subject: 'You have new backup codes',
  lines: [
    'New backup codes were made for your account. The old ones no longer work.',
    '',
    'If this was not you, tell an owner of your business at once.',
  ],
}
