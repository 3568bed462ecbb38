// Rotates the secret of an endpoint. During the overlap both secrets sign, so that the receiver can
// change its own at any time and refuses nothing. Then the old one is wiped.
import type { Actor } from '../auth/actor.ts'
import { recordAct } from '../auth/audit-log.ts'
import { addSeconds } from '../basics/clock.ts'
import { Fault, invalid, notFound } from '../basics/fault.ts'
import type { Tx } from '../db/database.ts'
import { type Endpoint, endpointSecretRow, newEndpointSecret } from '../webhooks/endpoint.ts'
import {
  updateEndpointToPromoted,
  updateEndpointToRotated,
} from '../webhooks/endpoint-secret-store.ts'
import { lockEndpoint } from '../webhooks/endpoint-store.ts'
import type { WebhookProfile } from '../webhooks/profile.ts'
import type { EndpointContext } from './manage-endpoints.ts'

export const overlapHoursMax = 30 * 24
export const overlapHoursDefault = 24

// Without an overlap all earlier secrets are invalid at once, for example after a leak. Otherwise a
// rotation that is under way must be finished first: with three secrets no one could say which of
// them receivers have.
export async function rotateSecret(
  context: EndpointContext,
  actor: Actor,
  profile: WebhookProfile,
  id: string,
  overlapHours: number,
): Promise<{ secret: string; oldSecretUntil: Date | null }> {
  const secret = newEndpointSecret(context.ids)
  return context.database.transaction(async (tx) => {
    const now = context.clock.now()
    const { oldSecretUntil: underWay } = await lock(tx, actor, profile, id)
    if (underWay && underWay > now && overlapHours > 0) {
      throw new Fault(
        'conflict',
        `The secret is being changed until ${underWay.toISOString()}. Promote the new one first.`,
      )
    }
    const oldSecretUntil = overlapHours === 0 ? null : addSeconds(now, overlapHours * 3600)
    const secretSealed = context.secrets.seal(secret, endpointSecretRow(id))
    await updateEndpointToRotated(tx, actor, id, { secretSealed, oldSecretUntil })
    await recordAct(tx, context, actor, {
      action: 'webhook.rotate',
      objectKind: 'webhook',
      objectId: id,
      detail: { overlapHours },
    })
    return { secret, oldSecretUntil }
  })
}

// Ends the overlap now, because the receiver has the new secret.
export async function promoteSecret(
  context: EndpointContext,
  actor: Actor,
  profile: WebhookProfile,
  id: string,
): Promise<void> {
  await context.database.transaction(async (tx) => {
    const { oldSecretUntil } = await lock(tx, actor, profile, id)
    if (!oldSecretUntil) throw invalid('The secret of this endpoint is not being changed.')
    await updateEndpointToPromoted(tx, actor, id)
    await recordAct(tx, context, actor, {
      action: 'webhook.promote',
      objectKind: 'webhook',
      objectId: id,
    })
  })
}

async function lock(
  tx: Tx,
  actor: Actor,
  { service }: WebhookProfile,
  id: string,
): Promise<Endpoint> {
  const endpoint = await lockEndpoint(tx, actor, service, id)
  if (!endpoint) throw notFound('webhook')
  return endpoint
}
