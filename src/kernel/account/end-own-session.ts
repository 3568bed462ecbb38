import { z } from 'zod'
import { recordOwnAct } from '../auth/record-own-act.ts'
import { deleteOwnSession } from '../auth/session-store.ts'
import { requirePerson } from '../operations/permission.ts'
import { uuid } from '../operations/schemas.ts'
import { defineOperation, ownAccount } from './define-operation.ts'

export const endOwnSession = defineOperation({
  name: 'end-own-session',
  summary: 'End one session that you have elsewhere',
  kind: 'write',
  input: z.strictObject({ sessionId: uuid() }),
  ...ownAccount,
  async run(context, actor, { sessionId }): Promise<void> {
    const { personId } = requirePerson(actor)
    await context.database.transaction(async (tx) => {
      // It may have ended by itself.
      if (!(await deleteOwnSession(tx, personId, sessionId))) return context.call.nothingChanged()
      await recordOwnAct(tx, context, personId, {
        action: 'person.end_own_sessions',
        detail: { endedSessions: 1 },
      })
    })
  },
})
