import { z } from 'zod'
import { ok } from '../../kernel/http/route.ts'
import { listEndpoints } from '../../kernel/webhooks/endpoint-store.ts'
import { defineHandledRoute } from '../context.ts'
import { presentWebhook, webhookSchema, webhookService } from './webhook.ts'

export const listWebhooks = defineHandledRoute({
  method: 'GET',
  path: '/webhooks',
  operationId: 'listWebhooks',
  tag: 'Webhooks',
  summary: 'List webhook endpoints',
  description: 'All of the environment of the key, the newest first, without their secrets.',
  scopes: ['webhooks:read_logs', 'webhooks:manage'],
  responses: {
    200: { description: 'The endpoints.', schema: z.object({ data: z.array(webhookSchema) }) },
  },
  async handle({ database }, { actor }) {
    const endpoints = await listEndpoints(database.sql, actor, webhookService)
    return ok({ data: endpoints.map((endpoint) => presentWebhook(endpoint, actor)) })
  },
})
