import { z } from 'zod'
import { notFound } from '../../kernel/basics/fault.ts'
import { ok } from '../../kernel/http/route.ts'
import { timestamp, uuid } from '../../kernel/http/schemas.ts'
import { type LoggedAttempt, listAttempts } from '../../kernel/webhooks/delivery-store.ts'
import { findEndpoint } from '../../kernel/webhooks/endpoint-store.ts'
import { defineRoute } from '../context.ts'
import { webhookService } from './webhook.ts'

const attemptsShown = 100

const attemptSchema = z.object({
  delivery_id: z.uuid().meta({ description: 'What a retry names.' }),
  event_id: z.uuid(),
  event_type: z.string(),
  attempt_number: z.int(),
  manual: z
    .boolean()
    .meta({ description: 'Asked for by a retry; the schedule does not count it.' }),
  attempted_at: timestamp(),
  succeeded: z.boolean(),
  status_code: z.int().nullable().meta({ description: 'Null when no answer came.' }),
  error: z
    .string()
    .nullable()
    .meta({
      description:
        'Why it failed: `status`, `redirect`, `timeout`, `url`, `address`, `name`, `tls`, ' +
        '`connection` or `protocol`.',
    }),
  next_retry_at: timestamp().nullable(),
  dead_lettered: z.boolean(),
})

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

function presentAttempt(attempt: LoggedAttempt): z.output<typeof attemptSchema> {
  return {
    delivery_id: attempt.deliveryId,
    event_id: attempt.eventId,
    event_type: attempt.eventType,
    attempt_number: attempt.attemptNumber,
    manual: attempt.isManual,
    attempted_at: attempt.attemptedAt.toISOString(),
    succeeded: attempt.succeeded,
    status_code: attempt.statusCode,
    error: attempt.error,
    next_retry_at: attempt.nextRetryAt?.toISOString() ?? null,
    dead_lettered: attempt.deadLettered,
  }
}
