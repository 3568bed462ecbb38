// Rotates the secret of an endpoint. During the overlap both secrets sign, so that the receiver can
// switch at any time without refusing anything. Then the old one is deleted.
import type { Actor } from '../auth/actor.ts'
import { recordAct } from '../auth/audit-log.ts'
import { addSeconds } from '../basics/clock.ts'
import { brokenRule, Fault, notFound } from '../basics/fault.ts'
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

// Without an overlap, all earlier secrets become invalid at once, for example after a leak.
// Otherwise a rotation under way must finish first: with three secrets it would be unclear which
// one receivers have.
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
        `A rotation is under way until ${underWay.toISOString()}. Promote the new secret first.`,
      )
    }
    const oldSecretUntil = overlapHours === 0 ? null : addSeconds(now, overlapHours * 3600)
    const secretSealed = context.secrets.seal(secret, endpointSecretRow(id))
    await updateEndpointToRotated(tx, actor, id, { secretSealed, oldSecretUntil, now })
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
    if (!oldSecretUntil) throw brokenRule('No rotation of the secret is under way.')
    await updateEndpointToPromoted(tx, actor, id, context.clock.now())
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
