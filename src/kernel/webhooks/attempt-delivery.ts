// Makes one attempt at a claimed delivery and returns the result to record.
import { assertDefined } from '../basics/assert.ts'
import { addMilliseconds } from '../basics/clock.ts'
import type { Context } from '../db/context.ts'
import type { Attempt, Result } from './attempt-store.ts'
import type { Claimed } from './claim-store.ts'
import { openSecrets, requestOfAttempt, type Secrets } from './delivery-request.ts'
import type { Egress } from './egress.ts'
import { nextAttemptAt, type WebhookProfile } from './profile.ts'

export type SenderContext = Context & {
  readonly egress: Egress
  readonly secrets: Secrets
  // Called for attempts made on request. A worker reports its own.
  readonly onAttempt?: AttemptObserver
}

export type AttemptObserver = (service: string, result: string, isDead: boolean) => void

export async function attemptDelivery(
  context: SenderContext,
  profile: WebhookProfile,
  claimed: Claimed,
): Promise<Result> {
  if (claimed.endpointState !== 'on') return unsent(claimed)
  const attemptedAt = context.clock.now()
  const startedMs = context.clock.monotonicMs()
  const event = { ...claimed, attemptNumber: claimed.attempts + 1, attemptedAt }
  const signing = openSecrets(context.secrets, claimed, attemptedAt)
  const message = requestOfAttempt(profile, event, signing)
  const outcome = await context.egress.post(claimed.url, message, profile.timeoutMs)
  context.failpoint('webhook.sent')
  const durationMs = Math.round(context.clock.monotonicMs() - startedMs)
  const { statusCode, error, responseText = null } = outcome
  const attempt = { attemptedAt, durationMs, statusCode, error, responseText }
  return error === null
    ? succeeded(claimed, attempt)
    : failed(claimed, attempt, nextScheduledAt(context, profile, claimed, attempt))
}

// The endpoint was switched off or deleted. Deliveries to an endpoint that is off go on hold. Those
// to a deleted one end, unless they had ended before and were only queued once more.
function unsent(claimed: Claimed): Result {
  const { endpointState, scheduledAt, retryAskedAt, stoppedAs } = claimed
  if (endpointState === 'off') {
    const queue = { runAt: 'infinity', scheduledAt, retryAskedAt } as const
    return { claimed, attempt: null, stoppedAs, queue }
  }
  return { claimed, attempt: null, stoppedAs: scheduledAt ? 'ended' : stoppedAs, queue: null }
}

type Sent = Pick<Attempt, 'attemptedAt' | 'durationMs' | 'statusCode' | 'error' | 'responseText'>

function succeeded(claimed: Claimed, sent: Sent): Result {
  const attempt = { ...numbered(claimed), ...sent, nextRetryAt: null, deadLettered: false }
  return { claimed, attempt, stoppedAs: null, queue: null }
}

function failed(claimed: Claimed, sent: Sent, scheduledAt: Date | null): Result {
  const { isManual } = numbered(claimed)
  const stoppedAs = !isManual && scheduledAt === null ? 'dead_lettered' : claimed.stoppedAs
  const deadLettered = stoppedAs === 'dead_lettered'
  const attempt = { ...numbered(claimed), ...sent, nextRetryAt: scheduledAt, deadLettered }
  const queue = scheduledAt && { runAt: scheduledAt, scheduledAt, retryAskedAt: null }
  return { claimed, attempt, stoppedAs, queue }
}

function numbered({ attempts, retryAskedAt }: Claimed) {
  return { number: attempts + 1, isManual: retryAskedAt !== null }
}

// An attempt made on request does not change the schedule. The delay counts from the response, by
// the monotonic clock, so that an adjustment of the wall clock does not shift the schedule.
function nextScheduledAt(
  { ids }: Context,
  profile: WebhookProfile,
  { retryAskedAt, scheduledAt, scheduledAttempts }: Claimed,
  { attemptedAt, durationMs }: Sent,
): Date | null {
  if (retryAskedAt !== null) return scheduledAt
  const answeredAt = addMilliseconds(attemptedAt, durationMs)
  return nextAttemptAt(profile, scheduledAttempts + 1, answeredAt, ids)
}

export function profilesByService(profiles: readonly WebhookProfile[]) {
  const known = new Map(profiles.map((profile) => [profile.service, profile]))
  return (service: string) => assertDefined(known.get(service), `${service} sends no webhooks`)
}
