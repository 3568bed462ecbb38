import { addSeconds } from '../basics/clock.ts'
import { lowestUuidAt } from '../basics/id.ts'
import type { Context } from '../db/context.ts'
import { defineSchedule } from '../jobs/schedule.ts'
import { deleteApiRequests, listTenantsWithOldApiRequests } from './api-request-store.ts'

const keptSeconds = 30 * 24 * 60 * 60
// Small enough for a short statement. The rest follows with the next one.
const batchSize = 5_000

export const expireApiRequestsSchedule = defineSchedule({
  name: 'expire-api-requests',
  everySeconds: 60 * 60,
  async run({ database, clock }: Context, signal) {
    const below = lowestUuidAt(addSeconds(clock.now(), -keptSeconds))
    for (const tenant of await listTenantsWithOldApiRequests(database.sql, below)) {
      let deleted = batchSize
      while (deleted === batchSize && !signal.aborted) {
        deleted = await deleteApiRequests(database.sql, tenant, below, batchSize)
      }
    }
  },
})
