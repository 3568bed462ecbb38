import { z } from 'zod'
import { ok } from '../../kernel/http/route.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineRoute } from '../context.ts'
import { attemptSchema, presentAttempt } from './webhook-attempt.ts'
import { merchantEndpoints } from './webhook-operations.ts'

export const retryWebhookDeliveryRoute = defineRoute({
  operation: merchantEndpoints.retryDelivery,
  method: 'POST',
  path: '/webhooks/deliveries/:id/retry',
  operationId: 'retryWebhookDelivery',
  tag: 'Webhooks',
  description:
    'Also for a delivered or dead-lettered one. The same payload is sent at once, with a fresh ' +
    'timestamp and signature, as one more attempt, and the response contains its result. The ' +
    'schedule continues, unless this succeeds. The call waits for an attempt that is under way.',
  params: z.object({ id: uuid() }),
  responses: {
    200: {
      description: 'The attempt, whether it succeeded or failed.',
      schema: attemptSchema.extend({ webhook_id: z.uuid() }),
    },
  },
  faults: ['invalid_request', 'not_found', 'conflict'],
  input: ({ params }) => params,
  answer: (attempt) => ok({ ...presentAttempt(attempt), webhook_id: attempt.endpointId }),
})
