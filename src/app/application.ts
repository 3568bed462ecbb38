// Builds the application on one context: everything that answers requests or runs in the
// background.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  createMovementMetrics,
  refreshMovementMetrics,
} from '../books/service-money/watch-movements.ts'
import {
  createRequestRecorder,
  type RequestRecorder,
} from '../kernel/access/record-api-requests.ts'
import { createAuthenticator } from '../kernel/auth/authenticate.ts'
import { createPeople } from '../kernel/auth/people.ts'
import { createApp } from '../kernel/http/app.ts'
import { addressReader, type TrustProxy } from '../kernel/http/client-address.ts'
import { createHealth, withinTime } from '../kernel/http/health.ts'
import { refreshMailMetrics } from '../kernel/http/mail-metrics.ts'
import { createMetrics, type Metrics } from '../kernel/http/metrics.ts'
import { mountService } from '../kernel/http/mount-service.ts'
import { mountOperatorRoutes } from '../kernel/http/operator-routes.ts'
import { createRateLimiter, type RateLimiter } from '../kernel/http/rate-limit.ts'
import { createRedisRateLimiter } from '../kernel/http/rate-limit-redis.ts'
import { requestLimits } from '../kernel/http/request-deadline.ts'
import { apiHeaders } from '../kernel/http/security-headers.ts'
import { observeWebhooks, refreshWebhookMetrics } from '../kernel/http/webhook-metrics.ts'
import type { Job } from '../kernel/jobs/job.ts'
import { findQueueHealth } from '../kernel/jobs/job-store.ts'
import { createWorker, type Worker } from '../kernel/jobs/worker.ts'
import type { ServiceContext } from '../kernel/operations/service-context.ts'
import { loadAssets } from '../kernel/web/assets.ts'
import { createErrorPage } from '../kernel/web/error-page.tsx'
import { mountPages } from '../kernel/web/mount-pages.ts'
import type { Page } from '../kernel/web/page.ts'
import { signInPages } from '../kernel/web/sign-in-pages.tsx'
import { createDeliveryWorker, type DeliveryWorker } from '../kernel/webhooks/delivery-worker.ts'
import type { MerchantContext } from '../merchant/context.ts'
import {
  createDiscrepancyMetrics,
  refreshDiscrepancyMetrics,
} from '../merchant/discrepancies/watch-discrepancies.ts'
import { mountProviderHook } from '../merchant/payments/receive-provider-message.ts'
import { createSite } from '../web/public/public-pages.ts'
import { businessPath } from '../web/shell/visit.ts'
import { jobs, schedules, webhookProfiles } from './background-work.ts'
import { watchWorkers } from './distribution/watch-workers.ts'
import { frontPages } from './front-pages.ts'
import { hostedPages } from './hosted-pages.ts'
import { services } from './services.ts'
import { signedInPages } from './signed-in-pages.ts'

export type ApplicationSettings = {
  readonly publicUrl: string
  readonly redisUrl: string | undefined
  readonly trustProxy: TrustProxy
  readonly rateLimitPerKey: number
  readonly rateLimitPerAddress: number
  readonly metricsToken: string | undefined
  readonly role: 'all' | 'api' | 'worker' | 'migrate'
  readonly workerSlots: number
  // How long running jobs can take to finish when the process stops.
  readonly shutdownGraceSeconds?: number
  // Whether this server has the demo business. The front page then says so, unless live keys of
  // others move real money.
  readonly demo?: boolean
  // Whether a server without a business can be set up in the browser; called when that is done.
  readonly onSetUp?: () => void
}

export type Application = {
  readonly fastify: FastifyInstance
  readonly worker: Pick<Worker, 'start' | 'stop'>
  readonly deliveries: DeliveryWorker
  readonly requests: RequestRecorder
  setReady(ready: boolean): void
}

const lastUsedFlushMs = 60_000

export async function createApplication(
  settings: ApplicationSettings,
  given: MerchantContext,
  simulatorPages: readonly Page[],
  moreJobs: readonly Job<MerchantContext, never>[] = [],
): Promise<Application> {
  const metrics = createMetrics()
  const onAttempt = observeWebhooks(metrics.webhooks, webhookProfiles)
  const deliveries = createDeliveryWorker({ context: given, profiles: webhookProfiles, onAttempt })
  const discrepancies = createDiscrepancyMetrics(metrics.registers)
  const movements = createMovementMetrics(metrics.registers)
  const context = {
    ...given,
    onPublished: deliveries.wake,
    onAttempt,
    onReconciliationFailed: (what: string) => discrepancies.reconciliationsFailed.inc({ what }),
  }
  const health = createHealth(context, watchWorkers(context))
  const site = createSite(services, settings.publicUrl, loadAssets())
  const apiPaths = services.map(({ basePath }) => basePath)
  const requests = createRequestRecorder(context)
  const errorPage = createErrorPage(site, apiPaths, ['/pay', '/quotes', '/i'])
  const fastify = createApp(context, metrics, errorPage, requestLimits, requests)
  const limiter = rateLimiter(settings, context, metrics)
  fastify.addHook('onClose', async () => {
    await Promise.all([limiter.close(), requests.flush()])
  })
  // A worker answers only its operator.
  if (settings.role !== 'worker') {
    const onDifferingRepeat = (operation: string) => metrics.differingRepeats.inc({ operation })
    await mountServices(fastify, settings, { ...context, onDifferingRepeat }, limiter)
    const people = await createPeople(context, context)
    const pages = [
      ...frontPages(settings, context, people, health),
      ...signInPages(people, (businessId) => businessPath(businessId, 'live')),
      ...hostedPages(fastify, context, limiter),
      ...signedInPages(context, people, site, health),
      ...simulatorPages,
    ]
    await mountProviderHook(fastify, context)
    const limits = { limiter, limitPerAddress: settings.rateLimitPerAddress }
    const { log } = context
    await mountPages(fastify, pages, { site, addressOf: addressOf(settings), log, limits })
  }
  mountOperatorRoutes(fastify, {
    health,
    metrics,
    metricsToken: settings.metricsToken,
    isWorker: settings.role !== 'api',
    // In parallel: each has its own time limit, so a scrape does not wait for the sum of them.
    refreshMetrics: async () => {
      await Promise.all([
        refreshDiscrepancyMetrics(context, discrepancies),
        refreshMovementMetrics(context, movements),
        refreshWebhookMetrics(context, metrics.webhooks, deliveries),
        refreshMailMetrics(context, metrics.mails),
        refreshJobMetrics(context, metrics),
      ])
    },
  })
  const { workerSlots: slots, shutdownGraceSeconds: grace } = settings
  const worker = createWorker({
    context,
    jobs: [...jobs, ...moreJobs],
    schedules,
    slots,
    ...(grace !== undefined && { graceMs: grace * 1000 }),
  })
  return {
    fastify,
    worker: {
      start() {
        worker.start()
        deliveries.start()
      },
      async stop() {
        await Promise.all([worker.stop(), deliveries.stop()])
      },
    },
    deliveries,
    requests,
    setReady: health.setReady,
  }
}

// Metrics are needed most during an outage, so values that can't be read are left out.
async function refreshJobMetrics(
  { database, clock, log }: ServiceContext,
  metrics: Metrics,
): Promise<void> {
  const answer = await withinTime(findQueueHealth(database.sql, clock.now()), log)
  metrics.databaseUp.set(answer ? 1 : 0)
  if (!answer) {
    for (const gauge of [metrics.jobsDue, metrics.jobsDead, metrics.oldestDueJobSeconds]) {
      gauge.remove()
    }
    return
  }
  const queue = answer.value
  metrics.jobsDue.set(queue.due)
  metrics.jobsDead.set(queue.dead)
  metrics.oldestDueJobSeconds.set(queue.oldestDueAgeSeconds)
}

async function mountServices(
  fastify: FastifyInstance,
  settings: ApplicationSettings,
  context: MerchantContext,
  limiter: RateLimiter,
): Promise<void> {
  const authenticator = createAuthenticator(context)
  const flush = () =>
    authenticator.flushLastUsed().catch((error: unknown) => {
      context.log.warn({ err: error }, 'could not record when the keys were last used')
    })
  const timer = setInterval(flush, lastUsedFlushMs).unref()
  fastify.addHook('onClose', async () => {
    clearInterval(timer)
    await flush()
  })
  for (const service of services) {
    await mountService(fastify, service, context, {
      authenticator,
      limiter,
      limitPerKey: settings.rateLimitPerKey,
      limitPerAddress: settings.rateLimitPerAddress,
      headers: apiHeaders(settings.publicUrl),
      addressOf: addressOf(settings),
      log: context.log,
    })
  }
}

function addressOf({ trustProxy }: ApplicationSettings) {
  const read = addressReader(trustProxy)
  return ({ raw }: FastifyRequest) => read(raw)
}

function rateLimiter(
  settings: ApplicationSettings,
  { clock, log }: ServiceContext,
  metrics: Metrics,
): RateLimiter {
  const nowMs = clock.monotonicMs
  if (!settings.redisUrl) return createRateLimiter({ nowMs })
  const onFallback = () => metrics.rateLimiterFallbacks.inc()
  return createRedisRateLimiter({ url: settings.redisUrl, log, nowMs, onFallback })
}
