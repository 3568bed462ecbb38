// Responses of receivers may contain anything, also personal data. They help to find out why a
// delivery failed, which is not asked after a month. The attempts themselves stay.
import { addSeconds } from '../basics/clock.ts'
import type { Context } from '../db/context.ts'
import { defineSchedule } from '../jobs/schedule.ts'
import { updateOldResponsesWiped } from './attempt-store.ts'

const keptSeconds = 30 * 24 * 60 * 60
// Small enough for a short statement. The rest follows with the next one.
const batchSize = 5_000

export const expireResponsesSchedule = defineSchedule({
  name: 'expire-webhook-responses',
  everySeconds: 60 * 60,
  async run({ database, clock }: Context, signal) {
    const before = addSeconds(clock.now(), -keptSeconds)
    while (!signal.aborted) {
      if ((await updateOldResponsesWiped(database.sql, before, batchSize)) < batchSize) return
    }
  },
})
