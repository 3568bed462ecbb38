// Sends a delivery once more on request, at once and in any state. It takes the same claim as a
// worker:
//   claim: a transaction marks the delivery as claimed, and that a retry was requested;
//   send: no transaction is open;
//   record: the attempt, while the claim holds.
// If the process dies in between, a worker makes the attempt after the lease has expired, with the
// same number, and it is logged once.
import { setTimeout as pause } from 'node:timers/promises'
import type { Actor } from '../auth/actor.ts'
import { recordAct } from '../auth/audit-log.ts'
import { assertDefined } from '../basics/assert.ts'
import { addSeconds } from '../basics/clock.ts'
import { brokenRule, Fault, notFound } from '../basics/fault.ts'
import type { Tx } from '../db/database.ts'
import { shardOf } from '../jobs/job.ts'
import { attemptDelivery } from '../webhooks/attempt-delivery.ts'
import { leaseSeconds } from '../webhooks/claim-deliveries.ts'
import {
  type Claim,
  type Claimed,
  listClaimed,
  lockDeliveryForRetry,
} from '../webhooks/claim-store.ts'
import type { Delivery, LoggedAttempt } from '../webhooks/delivery.ts'
import { findAttempt, findDelivery } from '../webhooks/delivery-store.ts'
import type { WebhookProfile } from '../webhooks/profile.ts'
import { recordResults } from '../webhooks/record-attempts.ts'
import type { EndpointContext } from './manage-endpoints.ts'

export async function retryDelivery(
  context: EndpointContext,
  actor: Actor,
  profile: WebhookProfile,
  id: string,
): Promise<LoggedAttempt> {
  const claim = await claimSoon(context, actor, profile, id)
  context.failpoint('webhook.retry-claimed')
  const [claimed] = await listClaimed(context.database.sql, [claim])
  const result = await attemptDelivery(
    context,
    profile,
    assertDefined(claimed, 'a delivery vanished under its claim'),
  )
  const recorded = await recordResults(context, () => profile, [result])
  const { attempt } = result
  // The endpoint was switched off or deleted meanwhile.
  if (attempt === null) throw unsent(result.claimed)
  // A retry is never the last attempt of the schedule.
  context.onAttempt?.(profile.service, attempt.error ?? 'success', false)
  if (recorded.length === 0) throw underWay()
  const wanted = { shard: shardOf(actor), deliveryId: id, number: attempt.number }
  return assertDefined(await findAttempt(context.database.sql, actor, wanted), 'it was logged')
}

const pollMsMin = 50
const pollMsMax = 400
// Time to record an attempt after it ended.
const recordingMs = 500

// Waits for an attempt that is under way, because two at once would have the same number. It takes
// no longer than ours can take, unless its process died. The last look comes after that time, when
// an attempt that hung until its deadline has just ended.
async function claimSoon(
  context: EndpointContext,
  actor: Actor,
  profile: WebhookProfile,
  id: string,
): Promise<Claim> {
  const deadline = AbortSignal.timeout(profile.timeoutMs + recordingMs)
  for (let pollMs = pollMsMin; ; pollMs = Math.min(pollMs * 2, pollMsMax)) {
    const isLast = deadline.aborted
    const claim = await context.database.transaction((tx) =>
      claimNow(tx, context, actor, profile, id),
    )
    if (claim) return claim
    if (isLast) throw underWay()
    await pause(pollMs)
  }
}

async function claimNow(
  tx: Tx,
  context: EndpointContext,
  actor: Actor,
  profile: WebhookProfile,
  id: string,
): Promise<Claim | undefined> {
  const delivery = await findDelivery(tx, actor, id)
  if (delivery?.service !== profile.service) throw notFound('delivery')
  if (delivery.endpointState !== 'on') throw unsendable(delivery)
  const now = context.clock.now()
  const claim = await lockDeliveryForRetry(
    tx,
    {
      shard: shardOf(actor),
      claimId: context.ids.uuid(),
      leaseUntil: addSeconds(now, leaseSeconds),
      now,
    },
    { ...delivery, businessId: actor.businessId, environment: actor.environment },
  )
  if (claim) {
    await recordAct(tx, context, actor, {
      action: 'webhook_delivery.retry',
      objectKind: 'webhook_delivery',
      objectId: id,
    })
  }
  return claim
}

function unsendable({ endpointState }: Delivery): Fault {
  return endpointState === 'off'
    ? brokenRule('The endpoint of this delivery is off. Switch it on first.')
    : brokenRule('The endpoint of this delivery was deleted.')
}

// The retry stays on hold, because someone else may have requested it too.
function unsent({ endpointState }: Claimed): Fault {
  return endpointState === 'off'
    ? brokenRule('The endpoint was switched off. The delivery will be sent when it is switched on.')
    : brokenRule('The endpoint of this delivery was deleted.')
}

function underWay(): Fault {
  return new Fault(
    'conflict',
    `Another attempt at this delivery is under way and ends within ${leaseSeconds} seconds. Try ` +
      'again then.',
  )
}
