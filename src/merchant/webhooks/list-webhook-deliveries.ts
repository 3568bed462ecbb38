import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { ok } from '../../kernel/http/route.ts'
import { uuid } from '../../kernel/http/schemas.ts'
import { listAttempts } from '../../kernel/webhooks/delivery-store.ts'
import { findEndpoint } from '../../kernel/webhooks/endpoint-store.ts'
import { defineRoute } from '../context.ts'
import { webhookService } from './webhook.ts'
import { attemptSchema, presentAttempt } from './webhook-attempt.ts'

const attemptsShown = 100

export const listWebhookDeliveries = defineRoute({
  method: 'GET',
  path: '/webhooks/:id/deliveries',
  operationId: 'listWebhookDeliveries',
  tag: 'Webhooks',
  summary: 'Read the delivery log of an endpoint',
  description: `The ${attemptsShown} most recent attempts, the newest first.`,
  scopes: ['webhooks:read_logs'],
  params: z.object({ id: uuid() }),
  responses: {
    200: { description: 'The attempts.', schema: z.object({ data: z.array(attemptSchema) }) },
  },
  faults: ['not_found'],
  async handle({ database }, { actor, params: { id } }) {
    const endpoint = await findEndpoint(database.sql, actor, webhookService, id)
    if (!endpoint) throw notFound('webhook')
    const attempts = await listAttempts(database.sql, actor, id, attemptsShown)
    return ok({ data: attempts.map(presentAttempt) })
  },
})
