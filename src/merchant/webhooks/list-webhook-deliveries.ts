import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { listLog, logMax } from '../../kernel/endpoints/list-log.ts'
import { ok } from '../../kernel/http/route.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { findEndpoint } from '../../kernel/webhooks/endpoint-store.ts'
import { defineHandledRoute } from '../context.ts'
import { webhookService } from './webhook.ts'
import { attemptSchema, presentAttempt } from './webhook-attempt.ts'

export const listWebhookDeliveries = defineHandledRoute({
  method: 'GET',
  path: '/webhooks/:id/deliveries',
  operationId: 'listWebhookDeliveries',
  tag: 'Webhooks',
  summary: 'Read the delivery log of an endpoint',
  description: `The ${logMax} most recent attempts, the newest first.`,
  scopes: ['webhooks:read_logs'],
  params: z.object({ id: uuid() }),
  responses: {
    200: { description: 'The attempts.', schema: z.object({ data: z.array(attemptSchema) }) },
  },
  faults: ['not_found'],
  async handle(context, { actor, params: { id } }) {
    const endpoint = await findEndpoint(context.database.sql, actor, webhookService, id)
    if (!endpoint) throw notFound('webhook')
    const attempts = await listLog(context, actor, id)
    return ok({ data: attempts.map(presentAttempt) })
  },
})
