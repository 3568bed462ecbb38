import { z } from 'zod'
import { ok } from '../../kernel/http/route.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineRoute } from '../context.ts'
import { merchantEndpoints } from './webhook-operations.ts'

export const deleteWebhookRoute = defineRoute({
  operation: merchantEndpoints.deleteEndpoint,
  method: 'DELETE',
  path: '/webhooks/:id',
  operationId: 'deleteWebhook',
  tag: 'Webhooks',
  description: 'Nothing more is sent to it; waiting deliveries end. Its log can still be read.',
  params: z.object({ id: uuid() }),
  responses: {
    200: {
      description: 'The endpoint was deleted.',
      schema: z.object({ id: z.uuid(), deleted: z.literal(true) }),
    },
  },
  faults: ['invalid_request', 'not_found'],
  input: ({ params }) => params,
  answer: ({ id }) => ok({ id, deleted: true as const }),
})
