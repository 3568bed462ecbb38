// What an operator can watch. Everything is registered here, so that `/metrics` is one list.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = {
  readonly registry: Registry
  observeRequest(method: string, route: string, status: number, seconds: number): void
  readonly rateLimiterFallbacks: Counter
  readonly jobsDue: Gauge
  readonly jobsDead: Gauge
  readonly oldestDueJobSeconds: Gauge
}

const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'tillbook_' })
  const requests = new Histogram({
    name: 'tillbook_http_request_seconds',
    help: 'Time from the request line to the last byte of the answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: secondsBuckets,
    registers: [registry],
  })
  // Looking labels up by name is the dearest part of an observation; the combinations are few.
  const children = new Map<string, { observe(seconds: number): void }>()
  const counter = (name: string, help: string) => new Counter({ name, help, registers: [registry] })
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] })

  return {
    registry,
    observeRequest(method, route, status, seconds) {
      const key = `${method} ${route} ${status}`
      let child = children.get(key)
      if (!child) {
        child = requests.labels({ method, route, status })
        children.set(key, child)
      }
      child.observe(seconds)
    },
    rateLimiterFallbacks: counter(
      'tillbook_rate_limiter_fallbacks_total',
      'Requests limited by this process alone because Redis did not answer.',
    ),
    jobsDue: gauge('tillbook_jobs_due', 'Jobs whose time has come.'),
    jobsDead: gauge('tillbook_jobs_dead', 'Jobs that used up their attempts.'),
    oldestDueJobSeconds: gauge(
      'tillbook_oldest_due_job_seconds',
      'How long the oldest due job has been waiting.',
    ),
  }
}
