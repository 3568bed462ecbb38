import type { Actor } from '../auth/actor.ts'
import { recordAct } from '../auth/audit-log.ts'
import { assertDefined } from '../basics/assert.ts'
import { brokenRule, notFound } from '../basics/fault.ts'
import { shardOf } from '../jobs/job.ts'
import { lockEndpoint } from '../webhooks/endpoint-store.ts'
import { insertEventForEndpoint } from '../webhooks/event-store.ts'
import type { WebhookProfile } from '../webhooks/profile.ts'
import { insertDeliveries } from '../webhooks/replay-store.ts'
import type { EndpointContext } from './manage-endpoints.ts'

// Queues a test event for one endpoint, regardless of its event types. It is retried and logged
// like any other event.
export async function sendTestEvent(
  context: EndpointContext,
  actor: Actor,
  { service, testEventType: type }: WebhookProfile,
  endpointId: string,
): Promise<{ eventId: string; deliveryId: string }> {
  return context.database.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, actor, service, endpointId)
    if (!endpoint) throw notFound('webhook')
    if (endpoint.state === 'off') throw brokenRule('The endpoint is off. Switch it on first.')
    const id = context.ids.uuid()
    const now = context.clock.now()
    // With an id, since receivers may ignore an event with the type and id of an earlier one.
    const data = { id, endpoint_id: endpointId }
    const event = { id, service, type, objectId: endpointId, data, createdAt: now, endpointId }
    await insertEventForEndpoint(tx, actor, event)
    const queued = { shard: shardOf(actor), endpointId, now }
    const [delivery] = await insertDeliveries(tx, actor, queued, [id])
    await recordAct(tx, context, actor, {
      action: 'webhook.test',
      objectKind: 'webhook',
      objectId: endpointId,
    })
    context.onPublished?.()
    return { eventId: id, deliveryId: assertDefined(delivery, 'a new event was delivered').id }
  })
}
