import { z } from 'zod'
import { defineOperation } from '../access/define-operation.ts'
import { inLive } from '../auth/actor.ts'
import { recordAct } from '../auth/audit-log.ts'
import { everyRole, requirePerson } from '../operations/permission.ts'
import { oneOf } from '../operations/schemas.ts'
import { optionalKinds } from './notice.ts'
import { insertOrUpdateChoice } from './notice-store.ts'

const wantedKinds = z.array(oneOf(optionalKinds)).max(optionalKinds.length)

export const setNotificationChoices = defineOperation({
  name: 'set-notification-choices',
  summary: 'Choose what you are notified about, by mail and in the application',
  kind: 'write',
  // The kinds that the person wants; all other optional ones are off.
  input: z.strictObject({
    // By mail.
    kinds: wantedKinds,
    // In the application; the default of the role if left out.
    shownKinds: wantedKinds.optional(),
  }),
  scopes: [],
  roles: everyRole,
  peopleOnly: true,
  isOwnAccount: true,
  async run(context, caller, { kinds, shownKinds }): Promise<void> {
    const actor = inLive(requirePerson(caller))
    const { businessId, personId } = actor
    await context.database.transaction(async (tx) => {
      for (const kind of optionalKinds) {
        const isShown = shownKinds?.includes(kind) ?? null
        const isOn = kinds.includes(kind)
        await insertOrUpdateChoice(tx, businessId, { personId, kind, isOn, isShown })
      }
      await recordAct(tx, context, actor, {
        action: 'notifications.set',
        objectKind: 'person',
        objectId: personId,
        detail: { kinds, ...(shownKinds && { shownKinds }) },
      })
    })
  },
})
