import { z } from 'zod'
import { logMax } from '../../kernel/endpoints/list-log.ts'
import { ok } from '../../kernel/http/route.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineRoute } from '../context.ts'
import { attemptSchema, presentAttempt } from './webhook-attempt.ts'
import { merchantEndpoints } from './webhook-operations.ts'

export const listWebhookDeliveriesRoute = defineRoute({
  operation: merchantEndpoints.listDeliveries,
  method: 'GET',
  path: '/webhooks/:id/deliveries',
  operationId: 'listWebhookDeliveries',
  tag: 'Webhooks',
  description: `The ${logMax} most recent attempts, newest first.`,
  params: z.object({ id: uuid() }),
  responses: {
    200: { description: 'The attempts.', schema: z.object({ data: z.array(attemptSchema) }) },
  },
  faults: ['not_found'],
  input: ({ params }) => params,
  answer: (attempts) => ok({ data: attempts.map(presentAttempt) }),
})
