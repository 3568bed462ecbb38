// A delivery sent once more because somebody asked, at once and whatever state it is in. It takes
// the same claim as a worker does:
//   claim:  a transaction that marks the delivery as ours, and that a retry was asked for;
//   send:   no transaction is open;
//   record: the attempt, as long as the claim holds.
// Should we die in between, a worker makes the attempt when the lease has run out, under the same
// number, and it is logged once.
import { setTimeout as pause } from 'node:timers/promises'
import type { Actor } from '../auth/actor.ts'
import { recordAct } from '../auth/audit-log.ts'
import { assertDefined } from '../basics/assert.ts'
import { addSeconds } from '../basics/clock.ts'
import { Fault, invalid, notFound } from '../basics/fault.ts'
import type { Tx } from '../db/database.ts'
import { shardOf } from '../jobs/job.ts'
import { attemptDelivery } from '../webhooks/attempt-delivery.ts'
import { leaseSeconds } from '../webhooks/claim-deliveries.ts'
import { type Claim, lockDeliveryForRetry } from '../webhooks/claim-store.ts'
import { type Claimed, listClaimed } from '../webhooks/claimed-store.ts'
import type { Delivery, LoggedAttempt } from '../webhooks/delivery.ts'
import { findAttempt, findDelivery } from '../webhooks/delivery-store.ts'
import type { WebhookProfile } from '../webhooks/profile.ts'
import { recordOutcomes } from '../webhooks/record-attempts.ts'
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
  const { recorded, outcome } = await attemptDelivery(
    context,
    profile,
    assertDefined(claimed, 'a delivery vanished under its claim'),
  )
  const held = await recordOutcomes(context, () => profile, [recorded])
  const { attempt } = recorded
  // Somebody has switched the endpoint off or removed it since we looked.
  if (attempt === null || outcome === null) throw unsent(recorded.claimed)
  // One that was asked for is never the last of the schedule.
  context.onAttempt?.(profile.service, outcome.error ?? 'success', false)
  if (held.length === 0) throw underWay()
  const wanted = { shard: shardOf(actor), deliveryId: id, number: attempt.number }
  return assertDefined(await findAttempt(context.database.sql, actor, wanted), 'it was logged')
}

const pollMsMin = 50
const pollMsMax = 400
// From the end of an attempt until it is recorded.
const recordingMs = 500

// An attempt that is under way is waited for, since two at once would have the same number; it
// takes no longer than ours may take, unless its process has died. The last look comes after that
// time: one that hung until its deadline is just over then.
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
    ? invalid('The endpoint of this delivery is switched off; switch it on first.')
    : invalid('The endpoint of this delivery was removed.')
}

// What was asked for may be what somebody else had asked for too, so it is not dropped.
function unsent({ addressee }: Claimed): Fault {
  return addressee.state === 'off'
    ? invalid('The endpoint was switched off; this is sent when it is switched on.')
    : invalid('The endpoint of this delivery was removed.')
}

function underWay(): Fault {
  return new Fault(
    'conflict',
    `Another attempt at this delivery is under way. Try again in ${leaseSeconds} seconds, when it ` +
      'is over in any case.',
  )
}
