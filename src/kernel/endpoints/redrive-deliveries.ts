// Redrives dead letters: queues each for one more attempt. Their schedules are used up, so one that
// fails stays a dead letter. An interrupted redrive can be started again: deliveries that are
// already queued are not queued twice.
import type { Actor } from '../auth/actor.ts'
import { recordAct } from '../auth/audit-log.ts'
import { brokenRule, notFound } from '../basics/fault.ts'
import { lowestUuidAt } from '../basics/id.ts'
import type { Tx } from '../db/database.ts'
import { shardOf } from '../jobs/job.ts'
import { listEndpoints, lockEndpoint } from '../webhooks/endpoint-store.ts'
import type { WebhookProfile } from '../webhooks/profile.ts'
import { findDeadLetterCount, insertRetries, listDeadLetters } from '../webhooks/replay-store.ts'
import type { EndpointContext } from './manage-endpoints.ts'

export type Redrive = {
  // Null means all endpoints of the service. Dead letters of endpoints that are off are only
  // counted.
  readonly endpointId: string | null
  readonly isDryRun: boolean
}

export type Redriven = {
  readonly endpointId: string
  // How many were queued, or would be.
  readonly count: number
  // How many were not queued because the endpoint is off.
  readonly leftAlone: number
}

export async function redriveDeliveries(
  context: EndpointContext,
  actor: Actor,
  { service }: WebhookProfile,
  { endpointId, isDryRun }: Redrive,
  onProgress?: (endpointId: string, queued: number) => void,
): Promise<Redriven[]> {
  const { sql } = context.database
  const endpoints = (await listEndpoints(sql, actor, service)).filter(
    ({ id }) => endpointId === null || id === endpointId,
  )
  const [first] = endpoints
  if (endpointId !== null) {
    if (!first) throw notFound('webhook')
    if (first.state === 'off') throw brokenRule('The endpoint is off. Switch it on first.')
  }
  const counts: Redriven[] = []
  for (const { id, state } of endpoints) {
    if (state === 'off') {
      const leftAlone = await findDeadLetterCount(sql, actor, id)
      counts.push({ endpointId: id, count: 0, leftAlone })
      continue
    }
    const report = (queued: number) => onProgress?.(id, queued)
    const count = isDryRun
      ? await findDeadLetterCount(sql, actor, id)
      : await redriveEndpoint(context, actor, service, id, report)
    counts.push({ endpointId: id, count, leftAlone: 0 })
  }
  return counts
}

const batchMax = 500

async function redriveEndpoint(
  context: EndpointContext,
  actor: Actor,
  service: string,
  endpointId: string,
  report: (queued: number) => void,
): Promise<number> {
  let count = 0
  let after = lowestUuidAt(new Date(0))
  for (;;) {
    const { queued, last } = await context.database.transaction((tx) =>
      redriveBatch(tx, context, actor, { service, endpointId, after }),
    )
    context.failpoint('redrive.batch-queued')
    context.onPublished?.()
    count += queued
    if (last === undefined) return count
    after = last
    report(count)
  }
}

async function redriveBatch(
  tx: Tx,
  context: EndpointContext,
  actor: Actor,
  { service, endpointId, after }: { service: string; endpointId: string; after: string },
): Promise<{ queued: number; last: string | undefined }> {
  const endpoint = await lockEndpoint(tx, actor, service, endpointId)
  if (endpoint?.state !== 'on') return { queued: 0, last: undefined }
  const dead = await listDeadLetters(tx, actor, endpointId, after, batchMax)
  const queued = await insertRetries(
    tx,
    actor,
    { shard: shardOf(actor), endpointId, now: context.clock.now() },
    dead.map(({ id }) => id),
  )
  if (queued > 0) {
    await recordAct(tx, context, actor, {
      action: 'webhook.redrive',
      objectKind: 'webhook',
      objectId: endpointId,
      detail: { deliveries: queued },
    })
  }
  return { queued, last: dead.length < batchMax ? undefined : dead.at(-1)?.id }
}
