import { z } from 'zod'
import { defineOperation } from '../access/define-operation.ts'
import { inLive } from '../auth/actor.ts'
import { recordAct } from '../auth/audit-log.ts'
import { everyRole, requirePerson } from '../operations/permission.ts'
import { oneOf } from '../operations/schemas.ts'
import { optionalKinds } from './notice.ts'
import { insertOrUpdateChoice } from './notice-store.ts'

export const setNotificationChoices = defineOperation({
  name: 'set-notification-choices',
  summary: 'Choose what you are mailed about',
  kind: 'write',
  // The kinds of mails that the person wants; all other optional ones are off.
  input: z.strictObject({ kinds: z.array(oneOf(optionalKinds)).max(optionalKinds.length) }),
  scopes: [],
  roles: everyRole,
  peopleOnly: true,
  isOwnAccount: true,
  async run(context, caller, { kinds }): Promise<void> {
    const actor = inLive(requirePerson(caller))
    const { businessId, personId } = actor
    await context.database.transaction(async (tx) => {
      for (const kind of optionalKinds) {
        await insertOrUpdateChoice(tx, businessId, { personId, kind, isOn: kinds.includes(kind) })
      }
      await recordAct(tx, context, actor, {
        action: 'notifications.set',
        objectKind: 'person',
        objectId: personId,
        detail: { kinds },
      })
    })
  },
})
