// All metrics are registered here, so that `/metrics` is one list.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { createMailMetrics, type MailMetrics } from './mail-metrics.ts'
import { createWebhookMetrics, type WebhookMetrics } from './webhook-metrics.ts'

export type Metrics = {
  readonly requests: Histogram<'method' | 'route' | 'status'>
  readonly rateLimiterFallbacks: Counter
  readonly differingRepeats: Counter<'operation'>
  readonly databaseUp: Gauge
  readonly jobsDue: Gauge
  readonly jobsDead: Gauge
  readonly oldestDueJobSeconds: Gauge
  readonly webhooks: WebhookMetrics
  readonly mails: MailMetrics
  // For metrics of a service.
  readonly registers: Registry[]
  readonly contentType: string
  text(): Promise<string>
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'tillbook_' })
  const registers = [registry]
  return {
    requests: new Histogram({
      name: 'tillbook_http_request_seconds',
      help: 'Time from the arrival of a request until its response was sent.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    rateLimiterFallbacks: new Counter({
      name: 'tillbook_rate_limiter_fallbacks_total',
      help: 'Requests limited by this process alone, because Redis did not answer.',
      registers,
    }),
    differingRepeats: new Counter({
      name: 'tillbook_idempotent_repeats_differing_total',
      help: 'Repeats of an idempotent call with a different body, which got the first result.',
      labelNames: ['operation'],
      registers,
    }),
    databaseUp: new Gauge({
      name: 'tillbook_database_up',
      help: 'Whether the database answers: 1 or 0.',
      registers,
    }),
    jobsDue: new Gauge({
      name: 'tillbook_jobs_due',
      help: 'Jobs that are due.',
      registers,
    }),
    jobsDead: new Gauge({
      name: 'tillbook_jobs_dead',
      help: 'Jobs that used up their attempts.',
      registers,
    }),
    oldestDueJobSeconds: new Gauge({
      name: 'tillbook_oldest_due_job_seconds',
      help: 'How long the oldest due job has been waiting, in seconds.',
      registers,
    }),
    webhooks: createWebhookMetrics(registers),
    mails: createMailMetrics(registers),
    registers,
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}
