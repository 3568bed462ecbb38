// Replays events from a time range to an endpoint. An event without a delivery to it gets one, with
// the whole schedule. An event with a delivery gets one more attempt. Queued deliveries are left
// alone.
//
// The work is done in batches, each in a transaction. An interrupted replay can be started again:
// missing deliveries are created once. Other events are sent once more each time, with the same ids
// of event and delivery, by which receivers recognise them.
import type { Actor } from '../auth/actor.ts'
import { recordAct } from '../auth/audit-log.ts'
import { addSeconds } from '../basics/clock.ts'
import { brokenRule, invalidField, notFound } from '../basics/fault.ts'
import { lowestUuidAt } from '../basics/id.ts'
import type { Tenant } from '../basics/tenant.ts'
import type { Tx } from '../db/database.ts'
import { shardOf } from '../jobs/job.ts'
import type { Endpoint } from '../webhooks/endpoint.ts'
import { findEndpoint, lockEndpoint } from '../webhooks/endpoint-store.ts'
import type { WebhookProfile } from '../webhooks/profile.ts'
import {
  findReplayCount,
  insertDeliveries,
  insertRetries,
  listReplayable,
  type ReplayCount,
  type ReplayRange,
} from '../webhooks/replay-store.ts'
import type { EndpointContext } from './manage-endpoints.ts'

export type ReplayWish = {
  readonly from: Date
  // Exclusive.
  readonly to: Date
  readonly types?: readonly string[]
  // Only events that have no delivery to the endpoint.
  readonly isMissingOnly?: boolean
}

export type ReplayProgress = ReplayCount & {
  // All events before this time are done.
  readonly upTo: Date
}

// Counts what a replay would do now and changes nothing.
export async function countReplay(
  { database }: EndpointContext,
  actor: Actor,
  { service }: WebhookProfile,
  endpointId: string,
  wish: ReplayWish,
): Promise<ReplayCount> {
  const endpoint = await findEndpoint(database.sql, actor, service, endpointId)
  return findReplayCount(database.sql, actor, replayRange(actor, wanted(endpoint), wish))
}

export async function replayEvents(
  context: EndpointContext,
  actor: Actor,
  { service }: WebhookProfile,
  endpointId: string,
  wish: ReplayWish,
  onProgress?: (progress: ReplayProgress) => void,
): Promise<ReplayCount> {
  let sum: ReplayCount = { missing: 0, again: 0, waiting: 0 }
  let after: string | null = null
  for (;;) {
    const batch = await context.database.transaction(async (tx) => {
      const endpoint = wanted(await lockEndpoint(tx, actor, service, endpointId))
      return replayBatch(tx, context, actor, replayRange(actor, endpoint, wish), after)
    })
    context.failpoint('replay.batch-queued')
    context.onPublished?.()
    sum = {
      missing: sum.missing + batch.missing,
      again: sum.again + batch.again,
      waiting: sum.waiting + batch.waiting,
    }
    if (!batch.last) return sum
    after = batch.last.eventId
    onProgress?.({ ...sum, upTo: batch.last.createdAt })
  }
}

const batchMax = 500

async function replayBatch(
  tx: Tx,
  context: EndpointContext,
  actor: Actor,
  range: ReplayRange,
  after: string | null,
) {
  const events = await listReplayable(tx, actor, range, after ?? range.idFrom, batchMax)
  const missing = events.filter(({ deliveryId }) => deliveryId === null)
  const over = events.filter(({ deliveryId, isWaiting }) => deliveryId !== null && !isWaiting)
  const queued = {
    shard: range.shard,
    endpointId: range.endpointId,
    now: context.clock.now(),
  }
  const deliveries = await insertDeliveries(
    tx,
    actor,
    queued,
    missing.map(({ eventId }) => eventId),
  )
  const overIds = over.flatMap(({ deliveryId }) => deliveryId ?? [])
  const counts = {
    missing: deliveries.length,
    again: await insertRetries(tx, actor, queued, overIds),
    waiting: events.length - missing.length - over.length,
  }
  if (counts.missing + counts.again > 0) {
    await recordAct(tx, context, actor, {
      action: 'webhook.replay',
      objectKind: 'webhook',
      objectId: range.endpointId,
      detail: { from: range.from.toISOString(), to: range.to.toISOString(), ...counts },
    })
  }
  return { ...counts, last: events.length < batchMax ? undefined : events.at(-1) }
}

// How far the time in an id can differ from the time of its event, for example after the clock of a
// machine was set back.
const idSlackSeconds = 3600

export function replayRange(tenant: Tenant, endpoint: Endpoint, wish: ReplayWish): ReplayRange {
  const { from, to, types, isMissingOnly = false } = wish
  if (from >= to) throw invalidField('to', 'Must be after `from`.')
  const unwanted = types?.filter((type) => endpoint.eventTypes?.includes(type) === false) ?? []
  if (unwanted.length > 0) {
    throw invalidField('type', `The endpoint does not receive ${unwanted.join(', ')}.`)
  }
  return {
    shard: shardOf(tenant),
    service: endpoint.service,
    endpointId: endpoint.id,
    from,
    to,
    idFrom: lowestUuidAt(addSeconds(from, -idSlackSeconds)),
    idTo: lowestUuidAt(addSeconds(to, idSlackSeconds)),
    types: types ?? endpoint.eventTypes,
    isMissingOnly,
  }
}

function wanted(endpoint: Endpoint | undefined): Endpoint {
  if (!endpoint || endpoint.state === 'deleted') throw notFound('webhook')
  if (endpoint.state === 'off') throw brokenRule('The endpoint is off. Switch it on first.')
  return endpoint
}
