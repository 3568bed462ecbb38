import { z } from 'zod'
import { ok } from '../../kernel/http/route.ts'
import { defineRoute } from '../context.ts'
import { presentWebhook, webhookSchema } from './webhook.ts'
import { merchantEndpoints } from './webhook-operations.ts'

export const listWebhooksRoute = defineRoute({
  operation: merchantEndpoints.listEndpoints,
  method: 'GET',
  path: '/webhooks',
  operationId: 'listWebhooks',
  tag: 'Webhooks',
  description: 'All endpoints in the environment of the key, newest first, without their secrets.',
  responses: {
    200: { description: 'The endpoints.', schema: z.object({ data: z.array(webhookSchema) }) },
  },
  input: () => ({}),
  answer: (endpoints, _context, { actor }) =>
    ok({ data: endpoints.map((endpoint) => presentWebhook(endpoint, actor)) }),
})
