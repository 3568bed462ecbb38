// The request of an attempt. It is not stored: it follows from the event, the attempt and the
// endpoint's secret.
import type { Tenant } from '../basics/tenant.ts'
import { endpointSecretRow } from './endpoint.ts'
import type { WebhookProfile, WebhookRequest } from './profile.ts'

export type Secrets = { open(sealed: Buffer, row: string): Buffer }

export type SealedSecrets = {
  readonly endpointId: string
  readonly secretSealed: Buffer
  readonly oldSecretSealed: Buffer | null
  readonly oldSecretUntil: Date | null
}

export type AttemptedEvent = Pick<Tenant, 'businessId'> & {
  readonly eventId: string
  readonly eventType: string
  readonly eventCreatedAt: Date
  readonly data: string
  readonly deliveryId: string
  readonly attemptNumber: number
  readonly attemptedAt: Date
}

export function requestOfAttempt(
  profile: WebhookProfile,
  { attemptedAt, ...event }: AttemptedEvent,
  signing: { readonly secret: string; readonly oldSecret?: string },
): WebhookRequest {
  const sentAtSeconds = Math.floor(attemptedAt.getTime() / 1000)
  return profile.request({
    eventId: event.eventId,
    eventType: event.eventType,
    eventCreatedAt: event.eventCreatedAt,
    businessId: event.businessId,
    data: event.data,
    deliveryId: event.deliveryId,
    attemptNumber: event.attemptNumber,
    sentAtSeconds,
    ...signing,
  })
}

export function openSecrets(secrets: Secrets, sealed: SealedSecrets, now: Date) {
  const { secretSealed, oldSecretSealed, oldSecretUntil } = sealed
  const row = endpointSecretRow(sealed.endpointId)
  const secret = secrets.open(secretSealed, row).toString()
  if (!oldSecretSealed || !oldSecretUntil || oldSecretUntil <= now) return { secret }
  return { secret, oldSecret: secrets.open(oldSecretSealed, row).toString() }
}
