// The provider simulator: a separate server on loopback that speaks the provider's wire format, so
// that the same adapter works with it and with the real provider. The public server shows the
// payer's pages, because a payer's browser can't reach loopback.
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { normaliseAddress } from '../kernel/basics/address.ts'
import { Fault } from '../kernel/basics/fault.ts'
import type { Context } from '../kernel/db/context.ts'
import type { Page } from '../kernel/web/page.ts'
import type { SimulatorContext } from './context.ts'
import { controlEndpoints } from './control/control-endpoints.ts'
import { endpoints } from './endpoints.ts'
import { internalError, refusal } from './envelope.ts'
import { identityEndpoints } from './identity/identity-endpoints.ts'
import { identityPages } from './identity/identity-pages.tsx'
import { mountEndpoints, send } from './mount-endpoints.ts'
import { payerPages } from './pages/payer-pages.tsx'
import { type RunningBackground, runBackground } from './run-background.ts'
import { createSender, type DefaultWebhook } from './webhooks/send-webhooks.ts'

export type Simulator = {
  readonly fastify: FastifyInstance
  readonly pages: Page[]
  // Does everything that is due, and waits until the webhooks have been answered.
  drain(): Promise<void>
  close(): Promise<void>
}

export type SimulatorOptions = {
  readonly webhookTimeoutMs?: number
  // Whether new test worlds use magic amounts.
  readonly magicAmounts?: boolean
  readonly openingBalances?: SimulatorContext['openingBalances']
  // Where webhooks go if a world has no webhook address.
  readonly defaultWebhook?: DefaultWebhook
}

// The provider's timeout for webhook receivers.
const webhookTimeoutMsDefault = 60_000

// The verifier receives documents, and base64 makes them a third longer.
const bodyLimitBytes = 8 * 1024 * 1024

export async function createSimulator(
  base: Context & { readonly publicUrl: string },
  options: SimulatorOptions = {},
): Promise<Simulator> {
  const {
    webhookTimeoutMs = webhookTimeoutMsDefault,
    magicAmounts = true,
    openingBalances = {},
  } = options
  const sender = createSender(base, {
    timeoutMs: webhookTimeoutMs,
    defaultWebhook: options.defaultWebhook,
  })
  const background: RunningBackground = runBackground(() => context, sender)
  const context: SimulatorContext = { ...base, magicAmounts, openingBalances, background }
  const closing = new AbortController()
  const fastify = createServer(context, closing.signal)
  return {
    fastify,
    pages: [...payerPages(context), ...identityPages(context)],
    drain: background.drain,
    async close() {
      closing.abort()
      await fastify.close()
      await background.stop()
    },
  }
}

// Loopback only, because callers of this server can do everything.
export async function listenOnLoopback(simulator: Simulator, port: number): Promise<string> {
  return simulator.fastify.listen({ host: '127.0.0.1', port })
}

function createServer(context: SimulatorContext, signal: AbortSignal): FastifyInstance {
  const app = Fastify({
    logger: false,
    forceCloseConnections: true,
    return503OnClosing: false,
    bodyLimit: bodyLimitBytes,
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: unknown, body: string) => {
    return body
  })
  app.setNotFoundHandler((_request, reply) => send(reply, refusal(404, 'Invalid request URL')))
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof Fault) return send(reply, refusal(403, error.message))
    const isCallers = error instanceof Error && 'statusCode' in error && error.statusCode !== 500
    if (isCallers) return send(reply, refusal(400, error.message))
    context.log.error({ err: error }, 'the provider simulator failed')
    return send(reply, internalError(500, context))
  })
  mountEndpoints(app, context, endpoints, { prefix: '/v3', misbehaves: true, signal })
  mountEndpoints(app, context, identityEndpoints, { prefix: '/identity', misbehaves: true, signal })
  app.register(async (control) => {
    control.addHook('onRequest', async (request) => assertLocal(request))
    const options = { prefix: '/control', misbehaves: false, signal }
    mountEndpoints(control, context, controlEndpoints, options)
  })
  return app
}

const localHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

// A web page in a browser on this machine can reach loopback. Its requests name an origin, or use a
// host name that points here.
function assertLocal({ raw, headers, hostname }: FastifyRequest): void {
  const address = normaliseAddress(raw.socket.remoteAddress ?? '')
  const isLoopback = address?.startsWith('127.') || address === '::1'
  if (!isLoopback || !localHosts.has(hostname) || headers.origin !== undefined) {
    throw new Fault('permission_denied', 'The control API is only for programs on this machine')
  }
}
