import { z } from 'zod'
import { findPerson, updatePersonName } from '../auth/person-store.ts'
import { recordOwnAct } from '../auth/record-own-act.ts'
import { requirePerson } from '../operations/permission.ts'
import { line } from '../operations/schemas.ts'
import { defineOperation, ownAccount } from './define-operation.ts'

export const changeOwnName = defineOperation({
  name: 'change-own-name',
  summary: 'Change your own name',
  kind: 'write',
  input: z.strictObject({ name: line(200) }),
  ...ownAccount,
  async run(context, actor, { name }): Promise<{ name: string }> {
    const { personId } = requirePerson(actor)
    await context.database.transaction(async (tx) => {
      const before = (await findPerson(tx, personId))?.name ?? ''
      if (before === name) {
        context.call.nothingChanged()
        return
      }
      await updatePersonName(tx, personId, name, context.clock.now())
      await recordOwnAct(tx, context, personId, {
        action: 'person.change_name',
        detail: { name, before },
      })
    })
    return { name }
  },
})
