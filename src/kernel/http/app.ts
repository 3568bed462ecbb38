// The HTTP server: one Fastify instance for services, pages and operator routes. Every response has
// `X-Request-Id`, and every error, even one that Fastify or Node finds before our code runs, has
// the error body of the interface.
import { randomBytes } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { RequestRecorder } from '../access/record-api-requests.ts'
import type { KeyActor } from '../auth/actor.ts'
import { invalid, notFound } from '../basics/fault.ts'
import { type Log, requestLog } from '../basics/log.ts'
import type { Context } from '../db/context.ts'
import { type ErrorAnswer, type ErrorPage, errorAnswer } from './errors.ts'
import type { Metrics } from './metrics.ts'
import { createRequestDeadline, requestLimits } from './request-deadline.ts'
import { plainHeaders } from './security-headers.ts'
import { watchRoutes } from './unknown-path.ts'

export const bodyLimitBytes = 256 * 1024

// A connection whose headers have not arrived by then is closed, so that slow senders can't fill
// the server. Bodies may take longer while they keep arriving (`request-deadline.ts`), up to this
// limit in all.
const headersTimeoutMs = 30_000
const requestTimeoutMs = 10 * 60_000
// Longer than the usual minute of a load balancer, so that the balancer closes first and never
// sends a request into a connection that we are closing.
const keepAliveTimeoutMs = 72_000

export function createApp(
  { log, clock }: Pick<Context, 'log' | 'clock'>,
  metrics: Metrics,
  errorPage?: ErrorPage,
  limits = requestLimits,
  recorder?: RequestRecorder,
): FastifyInstance {
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendError(log, errorPage, error, request, reply)
  const observe = createObserver(requestLog(log), metrics, recorder)
  const deadline = createRequestDeadline(log, limits)
  const app = Fastify({
    logger: false,
    genReqId: newRequestId,
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Node would refuse a request without Host with an empty body. `requireHost` refuses it with
    // ours.
    http: { requireHostHeader: false, headersTimeout: headersTimeoutMs },
    frameworkErrors: fail,
    clientErrorHandler: (error, socket) => answerUnreadable(socket, error, newRequestId(), log),
  })
  watchRoutes(app)
  // Fastify's parsers have their own error messages, so each scope adds the parsers that it needs.
  app.removeAllContentTypeParsers()
  app.decorateRequest('actor', undefined)
  app.decorateRequest('address', '')
  app.decorateRequest('arrivedMs', 0)
  app.addHook('onRequest', async (request, reply) => {
    request.arrivedMs = clock.monotonicMs()
    deadline.begin(request, reply)
    reply.header('x-request-id', request.id)
    requireHost(request)
    // Before the body is read, because the body could change the response. A service counts unknown
    // paths against its caller first and then refuses them itself.
    if (request.is404 && request.server === app) throw app.unknownPath(request)
  })
  // When the response is sent, not when it has arrived: waiting for that takes two listeners per
  // request and measures only the caller's network.
  app.addHook('onSend', async (request, reply) => {
    deadline.end(request)
    observe(request, reply, clock.monotonicMs() - request.arrivedMs)
  })
  app.addHook('onClose', async () => deadline.close())
  // Unknown expectations can be ignored. Node would return 417 without a body.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  // Node would refuse a tunnel by closing the connection without a response.
  app.server.on('connect', (_request, socket) =>
    answerByHand(socket, errorAnswer(notFound('path'), newRequestId(), log)),
  )
  app.setErrorHandler(fail)
  app.setNotFoundHandler((request, reply) => fail(app.unknownPath(request), request, reply))
  return app
}

function requireHost({ raw }: FastifyRequest): void {
  if (raw.headers.host !== undefined || raw.httpVersion !== '1.1') return
  throw invalid('HTTP/1.1 requires the header Host.')
}

function sendError(
  log: Log,
  errorPage: ErrorPage | undefined,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const answer = errorAnswer(error, request.id, log)
  const page = errorPage?.(answer, request)
  return reply
    .code(answer.status)
    .headers({ 'x-request-id': request.id, 'content-type': jsonType, ...plainHeaders })
    .headers(answer.headers)
    .headers(page?.headers ?? {})
    .send(page?.body ?? JSON.stringify(answer.body))
}

const jsonType = 'application/json; charset=utf-8'

// One line per request, with allow-listed fields only: no query, no headers, no body.
function createObserver(log: Log, { requests }: Metrics, recorder: RequestRecorder | undefined) {
  return (request: FastifyRequest, reply: FastifyReply, ms: number): void => {
    const route = request.routeOptions.url ?? 'unknown'
    const { method, id: requestId } = request
    const status = reply.statusCode
    requests.observe({ method, route, status }, ms / 1000)
    const rounded = Math.round(ms * 10) / 10
    const keyId = request.actor?.keyId
    log.info({ requestId, method, route, status, ms: rounded, keyId }, 'request')
    if (recorder && request.actor) recordRequest(recorder, request, request.actor, status, ms)
  }
}

// For the business whose key made the request.
function recordRequest(
  recorder: RequestRecorder,
  { method, id: requestId, url, address }: FastifyRequest,
  { businessId, environment, keyId }: KeyActor,
  status: number,
  ms: number,
): void {
  const [path = ''] = url.split('?', 1)
  const durationMs = Math.round(ms)
  const caller = { businessId, environment, keyId }
  recorder.record({ ...caller, method, path, status, durationMs, requestId, address })
}

// Random, so that no one can tell from two of them how many requests came in between.
function newRequestId(): string {
  return `req_${randomBytes(15).toString('base64url')}`
}

// Node could not read the request, so there is no reply object.
function answerUnreadable(socket: Socket, error: Error, requestId: string, log: Log): void {
  if (!socket.writable || ('code' in error && error.code === 'ECONNRESET')) {
    socket.destroy()
    return
  }
  log.info({ requestId, reason: 'code' in error ? error.code : error.name }, 'unreadable request')
  const fault = invalid('The request is not readable HTTP.')
  answerByHand(socket, errorAnswer(fault, requestId, log))
}

function answerByHand(socket: Duplex, { status, headers, body }: ErrorAnswer): void {
  const text = JSON.stringify(body)
  const lines = Object.entries({
    'x-request-id': body.request_id,
    'content-type': jsonType,
    'content-length': Buffer.byteLength(text),
    connection: 'close',
    ...plainHeaders,
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  // The caller may be gone already. That is not our failure.
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`)
}
