// What an operator can watch of outgoing webhooks. The age of the oldest due delivery is what to
// alert on: it counts those that are held back as well.
import { Counter, Gauge, type Registry } from 'prom-client'
import { findHeldCount } from '../webhooks/delivery-store.ts'
import type { DeliveryWorker } from '../webhooks/delivery-worker.ts'
import { findWebhookQueueHealth } from '../webhooks/queue-store.ts'
import { withinTime } from './health.ts'
import type { ServiceContext } from './service.ts'

export type WebhookMetrics = {
  readonly attempts: Counter<'service' | 'outcome'>
  readonly deadLetters: Counter<'service'>
  readonly running: Gauge<'lane'>
  readonly due: Gauge
  readonly waiting: Gauge
  readonly held: Gauge
  readonly oldestDueSeconds: Gauge
}

export function createWebhookMetrics(registers: Registry[]): WebhookMetrics {
  return {
    attempts: new Counter({
      name: 'tillbook_webhook_attempts_total',
      help: 'Attempts to deliver an event, by what came of them.',
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
      help: 'Attempts that this process is making, by lane.',
      labelNames: ['lane'],
      registers,
    }),
    due: new Gauge({
      name: 'tillbook_webhooks_due',
      help: 'Deliveries whose time has come and that nobody has taken.',
      registers,
    }),
    waiting: new Gauge({
      name: 'tillbook_webhooks_waiting',
      help: 'Deliveries that are not done: due, being sent, or waiting for their next attempt.',
      registers,
    }),
    held: new Gauge({
      name: 'tillbook_webhooks_held',
      help: 'Deliveries that wait for an endpoint to be switched on again.',
      registers,
    }),
    oldestDueSeconds: new Gauge({
      name: 'tillbook_oldest_due_webhook_seconds',
      help: 'How long the oldest due delivery has been waiting.',
      registers,
    }),
  }
}

export function observeWebhooks({ attempts, deadLetters }: WebhookMetrics) {
  return (service: string, outcome: string, isDead: boolean) => {
    attempts.inc({ service, outcome })
    if (isDead) deadLetters.inc({ service })
  }
}

export async function refreshWebhookMetrics(
  { database, clock, log }: ServiceContext,
  metrics: WebhookMetrics,
  deliveries: Pick<DeliveryWorker, 'running'>,
): Promise<void> {
  const { fast, slow } = deliveries.running()
  metrics.running.set({ lane: 'fast' }, fast)
  metrics.running.set({ lane: 'slow' }, slow)
  const now = clock.now()
  const { sql } = database
  const look = Promise.all([findWebhookQueueHealth(sql, now), findHeldCount(sql)])
  const answer = await withinTime(look, log)
  if (!answer) {
    const { due, waiting, held, oldestDueSeconds } = metrics
    for (const gauge of [due, waiting, held, oldestDueSeconds]) gauge.remove()
    return
  }
  const [{ due, waiting, oldest }, held] = answer.value
  metrics.due.set(due)
  metrics.waiting.set(waiting)
  metrics.held.set(held)
  metrics.oldestDueSeconds.set(oldest ? (now.getTime() - oldest.getTime()) / 1000 : 0)
}
