import { z } from 'zod'
import { inLive } from '../auth/actor.ts'
import { recordAct } from '../auth/audit-log.ts'
import type { Member } from '../auth/membership-store.ts'
import { deleteSessionsOfPerson } from '../auth/session-store.ts'
import { ownerRoles } from '../operations/permission.ts'
import { uuid } from '../operations/schemas.ts'
import { lockMember } from './confirmation.ts'
import { defineOperation } from './define-operation.ts'

export type EndedSessions = Member & { readonly endedSessions: number }

export const endSessions = defineOperation({
  name: 'end-sessions',
  summary: 'End all sessions of a member, who then has to sign in again',
  kind: 'write',
  input: z.strictObject({ personId: uuid() }),
  scopes: [],
  roles: ownerRoles,
  async run(context, caller, { personId }) {
    const actor = inLive(caller)
    return context.database.transaction(async (tx): Promise<EndedSessions> => {
      const member = await lockMember(tx, actor.businessId, personId)
      const endedSessions = await deleteSessionsOfPerson(tx, personId)
      await recordAct(tx, context, actor, {
        action: 'person.end_sessions',
        objectKind: 'person',
        objectId: personId,
        detail: { endedSessions },
      })
      return { ...member, endedSessions }
    })
  },
})
