// An attempt at a delivery, as the log and a retry show it. The id is that of the delivery, which
// all its attempts share.
import { z } from 'zod'
import { timestamp } from '../../kernel/operations/schemas.ts'
import type { LoggedAttempt } from '../../kernel/webhooks/delivery.ts'

export const attemptSchema = z.object({
  id: z.uuid().meta({ description: 'Of the delivery: what a retry names.' }),
  event_id: z.uuid(),
  event_type: z.string(),
  attempt_number: z.int(),
  manual: z
    .boolean()
    .meta({ description: 'Asked for by a retry; the schedule does not count it.', example: false }),
  succeeded: z.boolean(),
  status_code: z.int().nullable().meta({ description: 'Null when no answer came.', example: 200 }),
  error: z
    .string()
    .nullable()
    .meta({
      description:
        'Why it failed: `status`, `redirect`, `timeout`, `url`, `address` (the host does not exist ' +
        'or does not lead to public addresses alone), `tls`, `connection` or `protocol`.',
    }),
  next_retry_at: timestamp().nullable().meta({
    description: 'When the schedule tries again, or did; null when nothing is planned.',
  }),
  dead_lettered: z.boolean().meta({ example: false }),
  created_at: timestamp().meta({ description: 'When the attempt was made.' }),
})

export function presentAttempt(attempt: LoggedAttempt): z.output<typeof attemptSchema> {
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
  }
}

// One word for a name that leads nowhere and for one that leads inside, as at registration. Whoever
// owns a name can point it at any other, and would read here which names the operator's own network
// has. The log that operators read, and their metrics, tell them apart.
function presentFailure(error: string | null): string | null {
  return error === 'name' ? 'address' : error
}
