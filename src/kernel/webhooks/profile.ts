// The differences between the services that send webhooks.
import { createHmac } from 'node:crypto'
import { addMilliseconds } from '../basics/clock.ts'
import type { Ids } from '../basics/id.ts'
import type { Tenant } from '../basics/tenant.ts'
import type { Context } from '../db/context.ts'
import type { Tx } from '../db/database.ts'

export type WebhookProfile = {
  readonly service: string
  // Of one attempt, from the name lookup to the status line.
  readonly timeoutMs: number
  // The delays between the scheduled attempts: one fewer than attempts.
  readonly retryDelaysSeconds: readonly number[]
  // The largest share of a delay that is added at random, so that deliveries that failed together
  // are not retried together.
  readonly jitter: number
  // After this many failures in a row an endpoint is switched off; null means never.
  readonly failuresInRowMax: number | null
  // Called in the transaction that switches an endpoint off.
  readonly onSwitchedOff?: (
    tx: Tx,
    context: Context,
    tenant: Tenant,
    endpoint: { readonly id: string; readonly url: string },
  ) => Promise<void>
  // The event types that an endpoint can choose; null if every endpoint gets all.
  readonly eventTypes: readonly string[] | null
  // The event that tests one endpoint, on request. It is never sent to others.
  readonly testEventType: string
  // In the request.
  readonly signatureHeader: string
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
  // During a rotation: the secret that this one replaces.
  readonly oldSecret?: string
}

export type WebhookRequest = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

// The signature of both interfaces: hex HMAC-SHA256 of `<timestamp>.<raw body>`.
export function signatureOf(secret: string, sentAtSeconds: number, body: string): string {
  return createHmac('sha256', secret).update(`${sentAtSeconds}.${body}`).digest('hex')
}

// When the schedule retries after this many scheduled attempts; null after the last one.
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
