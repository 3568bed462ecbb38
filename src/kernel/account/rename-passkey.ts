import { z } from 'zod'
import { updatePasskeyName } from '../auth/passkey-store.ts'
import { recordOwnAct } from '../auth/record-own-act.ts'
import { notFound } from '../basics/fault.ts'
import { requirePerson } from '../operations/permission.ts'
import { line, uuid } from '../operations/schemas.ts'
import { defineOperation, ownAccount } from './define-operation.ts'

export const renamePasskey = defineOperation({
  name: 'rename-passkey',
  summary: 'Rename a passkey of your account',
  kind: 'write',
  input: z.strictObject({ id: uuid(), name: line(100) }),
  ...ownAccount,
  async run(context, actor, { id, name }): Promise<void> {
    const { personId } = requirePerson(actor)
    await context.database.transaction(async (tx) => {
      if (!(await updatePasskeyName(tx, personId, id, name))) throw notFound('passkey')
      await recordOwnAct(tx, context, personId, {
        action: 'person.rename_passkey',
        detail: { name },
      })
    })
  },
})
