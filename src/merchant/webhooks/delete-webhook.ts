import { z } from 'zod'
import { deleteEndpoint } from '../../kernel/endpoints/manage-endpoints.ts'
import { ok } from '../../kernel/http/route.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineHandledRoute } from '../context.ts'
import { merchantWebhooks } from './webhook-profile.ts'

export const deleteWebhook = defineHandledRoute({
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
    await deleteEndpoint(context, actor, merchantWebhooks, id)
    return ok({ id, deleted: true as const })
  },
})
