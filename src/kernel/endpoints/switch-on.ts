// Switches an endpoint on again after too many failures in a row. Its deliveries on hold are sent.
// Events that happened while it was off have no delivery; the result says how many a replay would
// send.
import type { Actor } from '../auth/actor.ts'
import { recordAct } from '../auth/audit-log.ts'
import { addSeconds } from '../basics/clock.ts'
import { brokenRule, notFound } from '../basics/fault.ts'
import type { Tenant } from '../basics/tenant.ts'
import { shardOf } from '../jobs/job.ts'
import type { Endpoint } from '../webhooks/endpoint.ts'
import { lockEndpoint, updateEndpointToOn } from '../webhooks/endpoint-store.ts'
import { findQueuedCounts, updateHeldToDue } from '../webhooks/hold-store.ts'
import type { WebhookProfile } from '../webhooks/profile.ts'
import { findReplayCount } from '../webhooks/replay-store.ts'
import type { EndpointContext } from './manage-endpoints.ts'
import { replayRange } from './replay-events.ts'

export type SwitchedOn = {
  // How many deliveries are due now.
  readonly resumed: number
  // Deliveries that are not due yet keep their time.
  readonly planned: { readonly count: number; readonly nextAt: Date | null }
  // The events that a replay would send.
  readonly missed: { readonly count: number; readonly from: Date; readonly to: Date }
}

// A transaction that saw the endpoint off writes no delivery, even if its event is dated earlier,
// or commits after the endpoint was switched on. No transaction takes longer than this.
const stragglerSeconds = 60

export async function switchOnEndpoint(
  context: EndpointContext,
  actor: Actor,
  { service }: WebhookProfile,
  id: string,
): Promise<SwitchedOn> {
  const now = context.clock.now()
  const { database } = context
  const wasOff = await database.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, actor, service, id)
    if (!endpoint) throw notFound('webhook')
    if (endpoint.state !== 'off') throw brokenRule('The endpoint is already on.')
    await updateEndpointToOn(tx, actor, id, now)
    await recordAct(tx, context, actor, {
      action: 'webhook.switch_on',
      objectKind: 'webhook',
      objectId: id,
      detail: { offSince: endpoint.stateSince.toISOString() },
    })
    return endpoint
  })
  // Counted before more becomes due.
  const queued = { shard: shardOf(actor), endpointId: id, now }
  const { due, planned, nextAt } = await findQueuedCounts(database.sql, actor, queued)
  const resumed = due + (await resumeHeld(context, actor, id))
  const missed = missedBy(wasOff, now)
  // Outside the transaction: workers that record results wait for the endpoint's row.
  const range = replayRange(actor, wasOff, { ...missed, isMissingOnly: true })
  const { missing } = await findReplayCount(database.sql, actor, range)
  return {
    resumed,
    planned: { count: planned, nextAt },
    missed: { ...missed, count: missing },
  }
}

function missedBy({ stateSince, createdAt }: Endpoint, now: Date): { from: Date; to: Date } {
  const from = addSeconds(stateSince, -stragglerSeconds)
  return { from: from < createdAt ? createdAt : from, to: addSeconds(now, stragglerSeconds) }
}

const batchMax = 500

// It can stop anywhere: the schedule that finishes endpoints continues.
export async function resumeHeld(
  context: Pick<EndpointContext, 'database' | 'clock' | 'onPublished'>,
  tenant: Tenant,
  endpointId: string,
): Promise<number> {
  const { database, clock } = context
  for (let resumed = 0; ; ) {
    const queued = { shard: shardOf(tenant), endpointId, now: clock.now() }
    const count = await database.transaction((tx) => updateHeldToDue(tx, tenant, queued, batchMax))
    if (count === 0) return resumed
    resumed += count
    context.onPublished?.()
  }
}
