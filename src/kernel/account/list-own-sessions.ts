import { z } from 'zod'
import { sessionIdleSeconds } from '../auth/person.ts'
import { listOpenSessions, type OpenSession } from '../auth/session-store.ts'
import { addSeconds } from '../basics/clock.ts'
import { requirePerson } from '../operations/permission.ts'
import { defineOperation, ownAccount } from './define-operation.ts'

export type OwnSession = OpenSession

export const listOwnSessions = defineOperation({
  name: 'list-own-sessions',
  summary: 'List where you are signed in',
  kind: 'read',
  input: z.strictObject({}),
  ...ownAccount,
  run({ database: { sql }, clock }, actor): Promise<OwnSession[]> {
    const { personId } = requirePerson(actor)
    const now = clock.now()
    return listOpenSessions(sql, personId, now, addSeconds(now, -sessionIdleSeconds))
  },
})
