// An attempt at a delivery, as in the log and in the response of a retry. The id is the delivery's;
// all its attempts share it.
import { z } from 'zod'
import { timestamp } from '../../kernel/operations/schemas.ts'
import type { LoggedAttempt, LoggedExchange } from '../../kernel/webhooks/delivery.ts'

export const attemptSchema = z.object({
  id: z.uuid().meta({ description: 'The id of the delivery, which a retry needs.' }),
  event_id: z.uuid(),
  event_type: z.string(),
  attempt_number: z.int(),
  manual: z
    .boolean()
    .meta({ description: 'True for a retry; the schedule does not count it.', example: false }),
  succeeded: z.boolean(),
  status_code: z
    .int()
    .nullable()
    .meta({ description: 'Null if there was no response.', example: 200 }),
  error: z
    .string()
    .nullable()
    .meta({
      description:
        'Why it failed: `status`, `redirect`, `timeout`, `url`, `address` (the host does not exist ' +
        'or does not resolve to public addresses only), `tls`, `connection` or `protocol`.',
    }),
  next_retry_at: timestamp().nullable().meta({
    description: 'When the schedule tries again, or did; null if nothing is planned.',
  }),
  dead_lettered: z.boolean().meta({ example: false }),
  created_at: timestamp().meta({ description: 'When the attempt was made.' }),
  duration_ms: z.int().meta({ description: 'Until the response.', example: 84 }),
  request: z
    .object({ headers: z.record(z.string(), z.string()), body: z.string() })
    .optional()
    .meta({
      description: 'What was sent. In the log, for keys with `webhooks:manage`.',
      example: {
        headers: { 'X-Service-Event-Type': 'payment.succeeded', 'X-Service-Attempt': '1' },
        body: '{"type":"payment.succeeded","data":{"amount":150000,"currency":"NGN"}}',
      },
    }),
  response: z
    .object({
      body: z
        .string()
        .nullable()
        .meta({
          description:
            'The first 2 kB as text, for 30 days. Null if there was no response, or if the operator ' +
            'opened the address, which may be in their own network.',
        }),
    })
    .optional()
    .meta({ description: 'What was answered. In the log, for keys with `webhooks:manage`.' }),
})

export function presentAttempt(
  attempt: LoggedAttempt & Partial<LoggedExchange>,
): z.output<typeof attemptSchema> {
  const { exchange } = attempt
  return {
    id: attempt.deliveryId,
    event_id: attempt.eventId,
    event_type: attempt.eventType,
    attempt_number: attempt.attemptNumber,
    manual: attempt.isManual,
    succeeded: attempt.succeeded,
    status_code: attempt.statusCode,
    error: presentFailure(attempt.error),
    next_retry_at: attempt.nextRetryAt?.toISOString() ?? null,
    dead_lettered: attempt.deadLettered,
    created_at: attempt.attemptedAt.toISOString(),
    duration_ms: attempt.durationMs,
    ...(exchange && {
      request: { headers: { ...exchange.headers }, body: exchange.body },
      response: { body: exchange.responseText },
    }),
  }
}

// The same word for a name that does not exist and for one that leads inside, as at registration.
// Otherwise the owner of a name could point it at others and find out which names exist in the
// operator's network. The operator's log and metrics distinguish them.
function presentFailure(error: string | null): string | null {
  return error === 'name' ? 'address' : error
}
