import { z } from 'zod'
import type { KeyActor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { invalid, notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { ok } from '../../kernel/http/route.ts'
import { uuid } from '../../kernel/http/schemas.ts'
import { shardOf } from '../../kernel/jobs/job.ts'
import { type Delivery, findDelivery, insertRetry } from '../../kernel/webhooks/delivery-store.ts'
import { defineRoute, type MerchantContext } from '../context.ts'
import { webhookService } from './webhook.ts'

export const retryWebhookDelivery = defineRoute({
  method: 'POST',
  path: '/webhooks/deliveries/:id/retry',
  operationId: 'retryWebhookDelivery',
  tag: 'Webhooks',
  summary: 'Send a delivery again, now',
  description:
    'Also one that was delivered or dead-lettered. The same payload is sent with a fresh timestamp ' +
    'and signature, as one more attempt; what the schedule has planned stays, unless this succeeds.',
  scopes: ['webhooks:retry'],
  params: z.object({ id: uuid() }),
  responses: {
    200: {
      description: 'It is being sent; the delivery log tells what came of it.',
      schema: z.object({
        id: z.uuid(),
        webhook_id: z.uuid(),
        event_id: z.uuid(),
        event_type: z.string(),
        retried: z.literal(true),
      }),
    },
  },
  faults: ['invalid_request', 'not_found'],
  async handle(context, { actor, params: { id } }) {
    const delivery = await context.database.transaction((tx) => retry(tx, context, actor, id))
    return ok({
      id,
      webhook_id: delivery.endpointId,
      event_id: delivery.eventId,
      event_type: delivery.eventType,
      retried: true as const,
    })
  },
})

async function retry(
  tx: Tx,
  context: MerchantContext,
  actor: KeyActor,
  id: string,
): Promise<Delivery> {
  const delivery = await findDelivery(tx, actor, id)
  if (delivery?.service !== webhookService) throw notFound('delivery')
  if (delivery.endpointState !== 'on') throw invalid('The endpoint of this delivery was removed.')
  await insertRetry(tx, actor, shardOf(actor), delivery, context.clock.now())
  await recordAct(tx, context, actor, {
    action: 'webhook_delivery.retry',
    objectKind: 'webhook_delivery',
    objectId: id,
  })
  context.onPublished?.()
  return delivery
}
