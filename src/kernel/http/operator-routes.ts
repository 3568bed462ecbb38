// What operators and their machines ask: is the process alive, may it be sent requests, how is it
// doing. `/metrics` answers only to who has METRICS_TOKEN; without one it does not exist.
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
  // Brings gauges up to date that nobody sets in passing, such as the depth of the queue.
  readonly refreshMetrics: () => Promise<void>
}

export function mountOperatorRoutes(app: FastifyInstance, options: OperatorOptions): void {
  const { health, metrics, metricsToken } = options
  app.get('/healthz', async (_request, reply) => {
    return reply.headers(plainHeaders).send({ status: 'alive' })
  })

  app.get('/readyz', async (_request, reply) => {
    const { ready, parts } = await health.check()
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

// Digests have one length, so the comparison takes the same time wherever the texts differ.
function isSameText(given: string | undefined, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given ?? ''), digest(expected))
}
