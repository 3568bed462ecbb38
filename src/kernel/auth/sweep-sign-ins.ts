// Deletes what can no longer be used: sessions that ended without a sign-out, sign-ins that were
// abandoned before the code, and links that were never opened. Each is also checked when it is
// used, so a late run does no harm.
import { addSeconds } from '../basics/clock.ts'
import type { Context } from '../db/context.ts'
import { defineSchedule } from '../jobs/schedule.ts'
import { deleteSpentChallenges } from './passkey-store.ts'
import { sessionIdleSeconds } from './person.ts'
import { deleteEndedLinks } from './person-link-store.ts'
import { deleteEndedSessions, deleteEndedVerifications } from './session-store.ts'

export const sweepSignInsSchedule = defineSchedule({
  name: 'sweep-sign-ins',
  everySeconds: 60 * 60,
  run: async ({ clock, database }: Context) => {
    const now = clock.now()
    await deleteEndedSessions(database.sql, now, addSeconds(now, -sessionIdleSeconds))
    await deleteEndedVerifications(database.sql, now)
    await deleteEndedLinks(database.sql, now)
    await deleteSpentChallenges(database.sql, now)
  },
})
