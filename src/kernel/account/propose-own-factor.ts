import { z } from 'zod'
import type { ProposedFactor } from '../auth/person.ts'
import { findPerson } from '../auth/person-store.ts'
import { proposeSecondFactor } from '../auth/set-up-second-factor.ts'
import { requirePerson } from '../operations/permission.ts'
import { defineOperation, ownAccount } from './define-operation.ts'

// Changes nothing: the proposal counts once a code of it was entered.
export const proposeOwnFactor = defineOperation({
  name: 'propose-own-factor',
  summary: 'Show a new second factor for your own account',
  kind: 'read',
  // An earlier proposal, to show it again after a wrong code.
  input: z.strictObject({ earlier: z.string().optional() }),
  ...ownAccount,
  async run(context, actor, { earlier }): Promise<ProposedFactor> {
    const { personId } = requirePerson(actor)
    const person = await findPerson(context.database.sql, personId)
    const email = person?.email ?? ''
    return proposeSecondFactor(context, context.secrets, { personId, email }, earlier)
  },
})
