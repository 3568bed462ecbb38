// What endpoints need from time to time: old secrets are wiped when they sign no more, and what was
// held for an endpoint that is on goes on. The latter is done by whoever switches it on, unless the
// process ends in between, or a worker that had still seen it off holds something back afterwards.
import { addSeconds } from '../basics/clock.ts'
import type { Context } from '../db/context.ts'
import { defineSchedule } from '../jobs/schedule.ts'
import { updateOverdueSecretsWiped } from '../webhooks/endpoint-secret-store.ts'
import { listEndpointsWithHeld } from '../webhooks/replay-store.ts'
import { resumeHeld } from './switch-on.ts'

const endpointsMax = 100
// Much longer than any of the two can take.
const lookBackSeconds = 24 * 3600

export const tendEndpointsSchedule = defineSchedule({
  name: 'tend-webhook-endpoints',
  everySeconds: 30,
  async run(context: Context, signal) {
    const { database, clock } = context
    const now = clock.now()
    await updateOverdueSecretsWiped(database.sql, now)
    const since = addSeconds(now, -lookBackSeconds)
    for (const { id, ...tenant } of await listEndpointsWithHeld(
      database.sql,
      since,
      endpointsMax,
    )) {
      if (signal.aborted) return
      await resumeHeld(context, tenant, id)
    }
  },
})
