// Stores a passkey that the browser made. A passkey is more convenient than the authenticator app
// and does not replace it: without the app, a password alone could set a second factor up.
import { z } from 'zod'
import { mailPerson } from '../auth/mail-person.ts'
import { insertPasskey } from '../auth/passkey-store.ts'
import { verifyNewPasskey } from '../auth/passkeys.ts'
import { findPerson } from '../auth/person-store.ts'
import { recordOwnAct } from '../auth/record-own-act.ts'
import { Fault, invalid } from '../basics/fault.ts'
import { requirePerson } from '../operations/permission.ts'
import { line } from '../operations/schemas.ts'
import { defineOperation, ownAccount } from './define-operation.ts'

export const addPasskey = defineOperation({
  name: 'add-passkey',
  summary: 'Add a passkey to your own account',
  kind: 'write',
  input: z.strictObject({ name: line(100), challenge: z.string(), response: z.string() }),
  ...ownAccount,
  async run(context, actor, { name, ...answer }): Promise<{ name: string }> {
    const { personId } = requirePerson(actor)
    const verified = await verifyNewPasskey(context, personId, answer)
    if (!verified) throw invalid('Your browser made no passkey. Try again.')
    const { ids, clock } = context
    await context.database.transaction(async (tx) => {
      const person = await findPerson(tx, personId)
      if (!person?.hasSecondFactor) {
        throw new Fault('conflict', 'Set up an authenticator app first.')
      }
      const row = { personId, id: ids.uuid(), name, createdAt: clock.now(), ...verified }
      if (!(await insertPasskey(tx, row))) {
        throw new Fault('conflict', 'This passkey is in use already.')
      }
      await recordOwnAct(tx, context, personId, { action: 'person.add_passkey', detail: { name } })
      await mailPerson(tx, context, person.email, letter(name))
    })
    return { name }
  },
})

function letter(name: string) {
  return {
    subject: 'You have a new passkey',
    lines: [
      `A passkey was added to your account: ${name}. It signs you in without a password.`,
      '',
      'If this was not you, tell an owner of your business at once.',
    ],
  }
}
