// One attempt at one claimed delivery, from the claim to what is to be recorded of it.
import { assertDefined } from '../basics/assert.ts'
import { addMilliseconds } from '../basics/clock.ts'
import type { Context } from '../db/context.ts'
import type { Recorded } from './attempt-store.ts'
import type { Claimed } from './claimed-store.ts'
import type { Egress, Outcome } from './egress.ts'
import { endpointSecretRow } from './endpoint.ts'
import { nextAttemptAt, type WebhookProfile } from './profile.ts'

export type SenderContext = Context & {
  readonly egress: Egress
  readonly secrets: { open(sealed: Buffer, row: string): Buffer }
  // Hears of attempts that somebody asked for; those of a worker are told to its owner.
  readonly onAttempt?: AttemptObserver
}

export type AttemptObserver = (service: string, result: string, isDead: boolean) => void

export async function attemptDelivery(
  context: SenderContext,
  profile: WebhookProfile,
  claimed: Claimed,
): Promise<{ recorded: Recorded; outcome: Outcome | null }> {
  if (claimed.addressee.state !== 'on') {
    return { recorded: unsent(claimed), outcome: null }
  }
  const attemptedAt = context.clock.now()
  const startedMs = context.clock.monotonicMs()
  const message = profile.request({
    eventId: claimed.eventId,
    eventType: claimed.eventType,
    eventCreatedAt: claimed.eventCreatedAt,
    businessId: claimed.businessId,
    data: claimed.data,
    deliveryId: claimed.deliveryId,
    attemptNumber: claimed.attempts + 1,
    sentAtSeconds: Math.floor(attemptedAt.getTime() / 1000),
    ...secretsOf(context, claimed, attemptedAt),
  })
  const outcome = await context.egress.post(claimed.addressee.url, message, profile.timeoutMs)
  context.failpoint('webhook.sent')
  const durationMs = Math.round(context.clock.monotonicMs() - startedMs)
  return {
    recorded: judge(context, profile, claimed, outcome, { attemptedAt, durationMs }),
    outcome,
  }
}

// What was on its way waits for an endpoint that is switched off, and ends with one that is gone.
// So does what somebody asked to have sent again, but in the queue: its delivery had its end.
function unsent(claimed: Claimed): Recorded {
  const isOff = claimed.addressee.state === 'off'
  return {
    claimed,
    attempt: null,
    stoppedAs: claimed.scheduledAt ? (isOff ? 'held' : 'ended') : claimed.stoppedAs,
    scheduledAt: null,
    isParked: isOff && claimed.scheduledAt === null,
  }
}

function secretsOf({ secrets }: SenderContext, claimed: Claimed, now: Date) {
  const { secretSealed, oldSecretSealed, oldSecretUntil } = claimed.addressee
  const row = endpointSecretRow(claimed.endpointId)
  const secret = secrets.open(secretSealed, row).toString()
  if (!oldSecretSealed || !oldSecretUntil || oldSecretUntil <= now) return { secret }
  return { secret, oldSecret: secrets.open(oldSecretSealed, row).toString() }
}

// A retry that was asked for leaves the schedule as it is, unless it succeeds.
function judge(
  { ids }: Context,
  profile: WebhookProfile,
  claimed: Claimed,
  { statusCode, error }: Outcome,
  timing: { attemptedAt: Date; durationMs: number },
): Recorded {
  const isManual = claimed.retryAskedAt !== null
  const attempt = { number: claimed.attempts + 1, isManual, ...timing, statusCode, error }
  if (error === null) {
    return {
      claimed,
      attempt: { ...attempt, nextRetryAt: null, deadLettered: false },
      stoppedAs: null,
      scheduledAt: null,
      isParked: false,
    }
  }
  // By the clock that is never set, so that a correction of the other one shifts no schedule.
  const answeredAt = addMilliseconds(timing.attemptedAt, timing.durationMs)
  const scheduledAt = isManual
    ? claimed.scheduledAt
    : nextAttemptAt(profile, claimed.scheduledAttempts + 1, answeredAt, ids)
  const stoppedAs = !isManual && scheduledAt === null ? 'dead_lettered' : claimed.stoppedAs
  const deadLettered = stoppedAs === 'dead_lettered'
  return {
    claimed,
    attempt: { ...attempt, nextRetryAt: scheduledAt, deadLettered },
    stoppedAs,
    scheduledAt,
    isParked: false,
  }
}

// Profiles by the service that they are of.
export function profilesByService(profiles: readonly WebhookProfile[]) {
  const known = new Map(profiles.map((profile) => [profile.service, profile]))
  return (service: string) => assertDefined(known.get(service), `${service} sends no webhooks`)
}
