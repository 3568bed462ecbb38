// The metrics of outgoing webhooks. Set alerts on the age of the oldest due delivery: it includes
// deliveries that wait for a slot, and those that are tried again and again but never sent.
import { Counter, Gauge, type Registry } from 'prom-client'
import type { ServiceContext } from '../operations/service-context.ts'
import type { DeliveryWorker } from '../webhooks/delivery-worker.ts'
import type { WebhookProfile } from '../webhooks/profile.ts'
import { findOldestDue, findWebhookCounts } from '../webhooks/queue-store.ts'
import { withinTime } from './health.ts'

export type WebhookMetrics = {
  readonly attempts: Counter<'service' | 'outcome'>
  readonly deadLetters: Counter<'service'>
  readonly running: Gauge<'lane'>
  readonly due: Gauge
  readonly waiting: Gauge
  readonly held: Gauge
  readonly oldestDueSeconds: Gauge
  readonly oldestAskedSeconds: Gauge
}

export function createWebhookMetrics(registers: Registry[]): WebhookMetrics {
  return {
    attempts: new Counter({
      name: 'tillbook_webhook_attempts_total',
      help: 'Attempts to deliver an event, by outcome; internal: no attempt could be made.',
      labelNames: ['service', 'outcome'],
      registers,
    }),
    deadLetters: new Counter({
      name: 'tillbook_webhook_dead_letters_total',
      help: 'Deliveries that used up their attempts.',
      labelNames: ['service'],
      registers,
    }),
    running: new Gauge({
      name: 'tillbook_webhook_attempts_running',
      help: 'Attempts under way in this process, by lane: fast, new, slow (timed out before) or stalled.',
      labelNames: ['lane'],
      registers,
    }),
    due: new Gauge({
      name: 'tillbook_webhooks_due',
      help: 'Due deliveries that no worker has claimed; up to 250,000.',
      registers,
    }),
    waiting: new Gauge({
      name: 'tillbook_webhooks_waiting',
      help: 'Deliveries that are due, being sent, or waiting for their next attempt; up to 250,000.',
      registers,
    }),
    held: new Gauge({
      name: 'tillbook_webhooks_held',
      help: 'Deliveries on hold until their endpoint is switched on again.',
      registers,
    }),
    oldestDueSeconds: new Gauge({
      name: 'tillbook_oldest_due_webhook_seconds',
      help: 'How long the oldest due delivery has been due, including attempts under way, in seconds.',
      registers,
    }),
    oldestAskedSeconds: new Gauge({
      name: 'tillbook_oldest_asked_webhook_seconds',
      help: 'How long the oldest due delivery of a replay or redrive has been due, in seconds.',
      registers,
    }),
  }
}

// Series exist from the start, because Prometheus sees no increase when a series appears.
export function observeWebhooks(
  { attempts, deadLetters }: WebhookMetrics,
  profiles: readonly WebhookProfile[],
) {
  for (const { service } of profiles) {
    for (const outcome of ['success', 'internal']) attempts.inc({ service, outcome }, 0)
    deadLetters.inc({ service }, 0)
  }
  return (service: string, outcome: string, isDead: boolean) => {
    attempts.inc({ service, outcome })
    if (isDead) deadLetters.inc({ service })
  }
}

// Separate queries: even if a queue is too long to count in time, its age is known.
export async function refreshWebhookMetrics(
  { database, clock, log }: ServiceContext,
  metrics: WebhookMetrics,
  deliveries: Pick<DeliveryWorker, 'running'>,
): Promise<void> {
  for (const [lane, count] of Object.entries(deliveries.running())) {
    metrics.running.set({ lane }, count)
  }
  const now = clock.now()
  const { sql } = database
  const [oldest, counts] = await Promise.all([
    withinTime(findOldestDue(sql, now), log),
    withinTime(findWebhookCounts(sql, now), log),
  ])
  const secondsSince = (moment: Date | null) =>
    moment ? (now.getTime() - moment.getTime()) / 1000 : 0
  show(metrics.oldestDueSeconds, oldest && secondsSince(oldest.value.scheduled))
  show(metrics.oldestAskedSeconds, oldest && secondsSince(oldest.value.asked))
  show(metrics.due, counts?.value.due)
  show(metrics.waiting, counts?.value.waiting)
  show(metrics.held, counts?.value.held)
}

// Unknown values are left out. An alert reports when that lasts.
function show(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove()
  else gauge.set(value)
}
