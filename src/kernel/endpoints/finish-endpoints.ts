// Finishes changes to endpoints: deletes old secrets whose overlap is over, resumes deliveries on
// hold for endpoints that are on, and ends deliveries of deleted endpoints. Switching on and
// deleting do the same at once, but the process may die in between, or a worker that read the
// endpoint earlier may write afterwards.
import type { Context } from '../db/context.ts'
import { defineSchedule } from '../jobs/schedule.ts'
import { updateOverdueSecretsWiped } from '../webhooks/endpoint-secret-store.ts'
import { listUnfinishedEndpoints } from '../webhooks/endpoint-store.ts'
import { endDeliveries } from './end-deliveries.ts'
import { resumeHeld } from './switch-on.ts'

const endpointsMax = 100

export const finishEndpointsSchedule = defineSchedule({
  // The database contains this name, so it stays.
  name: 'tend-webhook-endpoints',
  everySeconds: 30,
  async run(context: Context, signal) {
    const { database, clock } = context
    await updateOverdueSecretsWiped(database.sql, clock.now())
    const unfinished = await listUnfinishedEndpoints(database.sql, endpointsMax)
    for (const { id, state, ...tenant } of unfinished) {
      if (signal.aborted) return
      if (state === 'on') await resumeHeld(context, tenant, id)
      else await endDeliveries(context, tenant, id, signal)
    }
  },
})
