// The metrics of outgoing webhooks. Alert on the age of the oldest due delivery: it includes
// deliveries that wait for a slot, and those that are tried again and again and never sent.
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
      help: 'Attempts to deliver an event, by what came of them; internal: none could be made.',
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
      help: 'Attempts under way in this process: fast, new, slow (timed out before) or stalled.',
      labelNames: ['lane'],
      registers,
    }),
    due: new Gauge({
      name: 'tillbook_webhooks_due',
      help: 'Deliveries whose time has come and that nobody has taken; up to 250,000.',
      registers,
    }),
    waiting: new Gauge({
      name: 'tillbook_webhooks_waiting',
      help: 'Deliveries that are due, being sent, or wait for an attempt; up to 250,000.',
      registers,
    }),
    held: new Gauge({
      name: 'tillbook_webhooks_held',
      help: 'Deliveries that wait for an endpoint to be switched on again.',
      registers,
    }),
    oldestDueSeconds: new Gauge({
      name: 'tillbook_oldest_due_webhook_seconds',
      help: 'For how long the oldest delivery has been due, also while somebody tries to send it.',
      registers,
    }),
    oldestAskedSeconds: new Gauge({
      name: 'tillbook_oldest_asked_webhook_seconds',
      help: 'For how long the oldest that a replay or redrive wants once more has been due.',
      registers,
    }),
  }
}

// What can rise from nothing is there from the start: Prometheus sees no rise in what appears.
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

// Each by itself: a queue that is too long to be counted in time has an age all the same.
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

// What is not known is left out; an alert tells when it stays so.
function show(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove()
  else gauge.set(value)
}
