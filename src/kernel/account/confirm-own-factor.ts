import { z } from 'zod'
import { findPerson } from '../auth/person-store.ts'
import { confirmSecondFactor } from '../auth/set-up-second-factor.ts'
import { invalidField } from '../basics/fault.ts'
import { requirePerson } from '../operations/permission.ts'
import { uuid } from '../operations/schemas.ts'
import { defineOperation, ownAccount } from './define-operation.ts'

export const confirmOwnFactor = defineOperation({
  name: 'confirm-own-factor',
  summary: 'Set up or replace your own second factor; shows backup codes once',
  kind: 'write',
  // The proposal is what `propose-own-factor` returned.
  input: z.strictObject({ proposal: z.string(), code: z.string(), sessionId: uuid() }),
  ...ownAccount,
  async run(context, actor, { sessionId, ...sent }): Promise<readonly string[]> {
    const { personId } = requirePerson(actor)
    const person = await findPerson(context.database.sql, personId)
    const signedIn = { personId, sessionId, email: person?.email ?? '' }
    const outcome = await confirmSecondFactor(context, context.secrets, signedIn, sent)
    if ('problem' in outcome) throw invalidField('code', outcome.problem)
    return outcome.backupCodes
  },
})
