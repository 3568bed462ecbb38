// What differs between the services that send webhooks; everything else is one engine.
import { addMilliseconds } from '../basics/clock.ts'
import type { Ids } from '../basics/id.ts'

export type WebhookProfile = {
  readonly service: string
  // Of one attempt, from the look-up of the name to the status line.
  readonly timeoutMs: number
  // The waits between the attempts of the schedule, thus one fewer than attempts.
  readonly retryDelaysSeconds: readonly number[]
  // The share of a wait that is added to it at most, at random, so that what failed together is
  // not repeated together.
  readonly jitter: number
  // After how many failures one after the other an endpoint is switched off; null is never.
  readonly failuresInRowMax: number | null
  request(message: WebhookMessage): WebhookRequest
}

export type WebhookMessage = {
  readonly eventId: string
  readonly eventType: string
  readonly eventCreatedAt: Date
  readonly businessId: string
  // JSON, written by the database, so that every attempt sends the same bytes and no digit is lost.
  readonly data: string
  readonly deliveryId: string
  readonly attemptNumber: number
  readonly sentAtSeconds: number
  readonly secret: string
}

export type WebhookRequest = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

// When the schedule tries again after this many attempts of its own; null when that was the last.
export function nextAttemptAt(
  profile: WebhookProfile,
  scheduledAttempts: number,
  now: Date,
  ids: Ids,
): Date | null {
  const delaySeconds = profile.retryDelaysSeconds[scheduledAttempts - 1]
  if (delaySeconds === undefined) return null
  const delayMs = delaySeconds * 1000
  const chance = profile.jitter === 0 ? 0 : ids.randomBytes(4).readUInt32BE(0) / 2 ** 32
  return addMilliseconds(now, Math.round(delayMs * (1 + profile.jitter * chance)))
}
