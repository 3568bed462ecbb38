import { z } from 'zod'
import { deletePasskey } from '../auth/passkey-store.ts'
import { recordOwnAct } from '../auth/record-own-act.ts'
import { notFound } from '../basics/fault.ts'
import { requirePerson } from '../operations/permission.ts'
import { uuid } from '../operations/schemas.ts'
import { defineOperation, ownAccount } from './define-operation.ts'

export const removePasskey = defineOperation({
  name: 'remove-passkey',
  summary: 'Remove a passkey of your account; it stops working at once',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  ...ownAccount,
  async run(context, actor, { id }): Promise<{ name: string }> {
    const { personId } = requirePerson(actor)
    return context.database.transaction(async (tx) => {
      const removed = await deletePasskey(tx, personId, id)
      if (!removed) throw notFound('passkey')
      await recordOwnAct(tx, context, personId, {
        action: 'person.remove_passkey',
        detail: { name: removed.name },
      })
      return removed
    })
  },
})
