import { z } from 'zod'
import { type PasskeyRequest, proposePasskey as propose } from '../auth/passkeys.ts'
import { findPerson } from '../auth/person-store.ts'
import { notFound } from '../basics/fault.ts'
import { requirePerson } from '../operations/permission.ts'
import { defineOperation, ownAccount } from './define-operation.ts'

// Changes nothing: the browser makes the passkey, and `add-passkey` stores it.
export const proposePasskey = defineOperation({
  name: 'propose-passkey',
  summary: 'Ask the browser to make a passkey for your own account',
  kind: 'read',
  input: z.strictObject({}),
  ...ownAccount,
  async run(context, actor): Promise<PasskeyRequest> {
    const { personId } = requirePerson(actor)
    const person = await findPerson(context.database.sql, personId)
    if (!person) throw notFound('person')
    return propose(context, { personId, ...person })
  },
})
