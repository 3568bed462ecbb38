import { z } from 'zod'
import type { KeyActor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { ok } from '../../kernel/http/route.ts'
import { uuid } from '../../kernel/http/schemas.ts'
import { shardOf } from '../../kernel/jobs/job.ts'
import { updateDeliveriesToEnded } from '../../kernel/webhooks/delivery-store.ts'
import { updateEndpointToDeleted } from '../../kernel/webhooks/endpoint-store.ts'
import { defineRoute, type MerchantContext } from '../context.ts'
import { webhookService } from './webhook.ts'

export const deleteWebhook = defineRoute({
  method: 'DELETE',
  path: '/webhooks/:id',
  operationId: 'deleteWebhook',
  tag: 'Webhooks',
  summary: 'Remove a webhook endpoint',
  description:
    'Nothing is sent there any more: what waits to be delivered ends. Its log can still be read.',
  scopes: ['webhooks:manage'],
  params: z.object({ id: uuid() }),
  responses: {
    200: {
      description: 'It was removed.',
      schema: z.object({ id: z.uuid(), deleted: z.literal(true) }),
    },
  },
  faults: ['invalid_request', 'not_found'],
  async handle(context, { actor, params: { id } }) {
    await context.database.transaction((tx) => remove(tx, context, actor, id))
    return ok({ id, deleted: true as const })
  },
})

async function remove(
  tx: Tx,
  context: MerchantContext,
  actor: KeyActor,
  id: string,
): Promise<void> {
  const now = context.clock.now()
  if (!(await updateEndpointToDeleted(tx, actor, webhookService, id, now))) {
    throw notFound('webhook')
  }
  await updateDeliveriesToEnded(tx, actor, shardOf(actor), id, now)
  await recordAct(tx, context, actor, {
    action: 'webhook.delete',
    objectKind: 'webhook',
    objectId: id,
  })
}
