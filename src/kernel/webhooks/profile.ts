// What differs between the services that send webhooks; everything else is one engine.
import { createHmac } from 'node:crypto'
import { addMilliseconds } from '../basics/clock.ts'
import type { Ids } from '../basics/id.ts'
import type { Tenant } from '../basics/tenant.ts'
import type { Context } from '../db/context.ts'
import type { Tx } from '../db/database.ts'

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
  // In the transaction that switches an endpoint off, for whoever must be told.
  readonly onSwitchedOff?: (
    tx: Tx,
    context: Context,
    tenant: Tenant,
    endpoint: { readonly id: string; readonly url: string },
  ) => Promise<void>
  // What endpoints choose among; null where each is told of everything.
  readonly eventTypes: readonly string[] | null
  // What is sent to one endpoint when somebody wants to see that it works; null where nothing is.
  readonly testEventType: string | null
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
  // While a rotation lasts: what the secret has replaced.
  readonly oldSecret?: string
}

export type WebhookRequest = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

// What both interfaces sign with: hex HMAC-SHA256 of `<timestamp>.<raw body>`.
export function signatureOf(secret: string, sentAtSeconds: number, body: string): string {
  return createHmac('sha256', secret).update(`${sentAtSeconds}.${body}`).digest('hex')
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
