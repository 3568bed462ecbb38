// What endpoints need from time to time: old secrets are wiped when they sign no more; what was
// held for an endpoint that is on goes on, and what was on its way to one that is gone ends.
// Whoever switches it on or deletes it does that, unless the process ends in between, or a worker
// that had seen it as it was before plans or holds something afterwards.
import { addSeconds } from '../basics/clock.ts'
import type { Context } from '../db/context.ts'
import { shardOf } from '../jobs/job.ts'
import { defineSchedule } from '../jobs/schedule.ts'
import { updateOverdueSecretsWiped } from '../webhooks/endpoint-secret-store.ts'
import { listDeletedEndpoints, listEndpointsWithHeld } from '../webhooks/endpoint-store.ts'
import { listQueuedEndpoints } from '../webhooks/queue-store.ts'
import { endDeliveries } from './end-deliveries.ts'
import { resumeHeld } from './switch-on.ts'

const endpointsMax = 100
// Of what is in the queue for a deleted endpoint; what is older is ended by who claims it.
const lookBackSeconds = 24 * 3600

export const tendEndpointsSchedule = defineSchedule({
  name: 'tend-webhook-endpoints',
  everySeconds: 30,
  async run(context: Context, signal) {
    const { database, clock } = context
    const now = clock.now()
    await updateOverdueSecretsWiped(database.sql, now)
    const holding = await listEndpointsWithHeld(database.sql, endpointsMax)
    const deleted = await listDeletedEndpoints(database.sql, addSeconds(now, -lookBackSeconds))
    const sharded = deleted.map((endpoint) => ({ ...endpoint, shard: shardOf(endpoint) }))
    const queued = await listQueuedEndpoints(database.sql, sharded)
    for (const { id, ...tenant } of holding.filter(({ state }) => state === 'on')) {
      if (signal.aborted) return
      await resumeHeld(context, tenant, id)
    }
    const ended = holding.filter(({ state }) => state === 'deleted')
    for (const { id, ...tenant } of [...ended, ...queued]) {
      await endDeliveries(context, tenant, id, signal)
    }
  },
})
