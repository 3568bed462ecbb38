import { z } from 'zod'
import { recordOwnAct } from '../auth/record-own-act.ts'
import { deleteOtherSessions } from '../auth/session-store.ts'
import { requirePerson } from '../operations/permission.ts'
import { uuid } from '../operations/schemas.ts'
import { defineOperation, ownAccount } from './define-operation.ts'

export const endOtherSessions = defineOperation({
  name: 'end-other-sessions',
  summary: 'End all your own sessions but this one',
  kind: 'write',
  // The session that stays.
  input: z.strictObject({ sessionId: uuid() }),
  ...ownAccount,
  async run(context, actor, { sessionId }) {
    const { personId } = requirePerson(actor)
    return context.database.transaction(async (tx): Promise<{ endedSessions: number }> => {
      const endedSessions = await deleteOtherSessions(tx, personId, sessionId)
      if (endedSessions === 0) context.call.nothingChanged()
      else {
        await recordOwnAct(tx, context, personId, {
          action: 'person.end_own_sessions',
          detail: { endedSessions },
        })
      }
      return { endedSessions }
    })
  },
})
