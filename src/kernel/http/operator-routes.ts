// Routes for operators and their tools: is the process alive, is it ready for requests, and its
// metrics. `/metrics` requires METRICS_TOKEN; if none is set, the path does not exist.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { notFound } from '../basics/fault.ts'
import type { Health } from './health.ts'
import type { Metrics } from './metrics.ts'
import { plainHeaders } from './security-headers.ts'

export type OperatorOptions = {
  readonly health: Health
  readonly metrics: Metrics
  readonly metricsToken: string | undefined
  // Whether this process does the work in the background; another one's state is not told here.
  readonly isWorker: boolean
  // Updates gauges that need a query, such as the length of the queue.
  readonly refreshMetrics: () => Promise<void>
}

export function mountOperatorRoutes(app: FastifyInstance, options: OperatorOptions): void {
  const { health, metrics, metricsToken, isWorker } = options
  app.get('/healthz', async (_request, reply) => {
    return reply.headers(plainHeaders).send({ status: 'alive' })
  })

  app.get('/readyz', async (_request, reply) => {
    const { ready, parts } = await health.check()
    if (!isWorker) delete parts.worker
    return reply
      .code(ready ? 200 : 503)
      .headers(plainHeaders)
      .send({ status: ready ? 'ready' : 'unavailable', parts })
  })

  app.get('/metrics', async (request, reply) => {
    if (!metricsToken || !isSameText(request.headers.authorization, `Bearer ${metricsToken}`)) {
      throw notFound('path')
    }
    await options.refreshMetrics()
    return reply
      .headers(plainHeaders)
      .type(metrics.contentType)
      .send(await metrics.text())
  })
}

// Digests have equal length, so the comparison takes the same time wherever the texts differ.
function isSameText(given: string | undefined, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given ?? ''), digest(expected))
}
