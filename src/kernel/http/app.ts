// The HTTP server: one Fastify instance on which services, pages and operators' routes are put.
// Every answer carries `X-Request-Id`, and every failure, also one that Fastify or Node finds
// before our code runs, has the error body of the interface.
import { randomBytes } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { invalid, notFound } from '../basics/fault.ts'
import { type Log, requestLog } from '../basics/log.ts'
import type { Context } from '../db/context.ts'
import { type ErrorAnswer, type ErrorPage, errorAnswer } from './errors.ts'
import type { Metrics } from './metrics.ts'
import { createRequestDeadline, requestLimits } from './request-deadline.ts'
import { plainHeaders } from './security-headers.ts'
import { watchRoutes } from './unknown-path.ts'

export const bodyLimitBytes = 256 * 1024

// A head that has not arrived by then is dropped, so that slow senders cannot fill the server with
// half requests. Bodies have time as long as they come on (`request-deadline.ts`), and no longer
// than this in all.
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
): FastifyInstance {
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendError(log, errorPage, error, request, reply)
  const nextRequestId = requestIds()
  const observe = createObserver(requestLog(log), metrics)
  const deadline = createRequestDeadline(log, limits)
  const app = Fastify({
    logger: false,
    genReqId: nextRequestId,
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Node would refuse a request without Host with an empty body; `requireHost` does with ours.
    http: { requireHostHeader: false, headersTimeout: headersTimeoutMs },
    frameworkErrors: fail,
    clientErrorHandler: (error, socket) => answerUnreadable(socket, error, nextRequestId(), log),
  })
  watchRoutes(app)
  // Fastify's own parsers answer in words of theirs: each scope brings those that it needs.
  app.removeAllContentTypeParsers()
  app.decorateRequest('actor', undefined)
  app.decorateRequest('address', '')
  app.decorateRequest('arrivedMs', 0)
  app.addHook('onRequest', async (request, reply) => {
    request.arrivedMs = clock.monotonicMs()
    deadline.begin(request, reply)
    reply.header('x-request-id', request.id)
    requireHost(request)
    // Before the body is read, which could otherwise change the answer. A service counts unknown
    // paths against its caller and refuses them itself, afterwards.
    if (request.is404 && request.server === app) throw app.unknownPath(request)
  })
  // When the answer goes out rather than when it has arrived: waiting for that costs two listeners
  // a request, and would only measure the caller's network.
  app.addHook('onSend', async (request, reply) => {
    deadline.end(request)
    observe(request, reply, clock.monotonicMs() - request.arrivedMs)
  })
  app.addHook('onClose', async () => deadline.close())
  // An expectation that we don't know may be ignored; Node would answer 417 with no body.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  // A tunnel, which Node would refuse by closing the connection without a word.
  app.server.on('connect', (_request, socket) =>
    answerByHand(socket, errorAnswer(notFound('path'), nextRequestId(), log)),
  )
  app.setErrorHandler(fail)
  app.setNotFoundHandler((request, reply) => fail(app.unknownPath(request), request, reply))
  return app
}

function requireHost({ raw }: FastifyRequest): void {
  if (raw.headers.host !== undefined || raw.httpVersion !== '1.1') return
  throw invalid('HTTP/1.1 needs the header Host.')
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

// One line a request, of allow-listed fields only: no query, no header, no body.
function createObserver(log: Log, { requests }: Metrics) {
  return (request: FastifyRequest, reply: FastifyReply, ms: number): void => {
    const route = request.routeOptions.url ?? 'unknown'
    const { method, id: requestId } = request
    const status = reply.statusCode
    requests.observe({ method, route, status }, ms / 1000)
    const rounded = Math.round(ms * 10) / 10
    const keyId = request.actor?.keyId
    log.info({ requestId, method, route, status, ms: rounded, keyId }, 'request')
  }
}

// Unique across processes by its random half, and cheap: a counter makes the rest.
function requestIds(): () => string {
  const process = `req_${randomBytes(9).toString('base64url')}`
  let count = 0
  return () => {
    count += 1
    return `${process}_${count.toString(36)}`
  }
}

// Node could not even read the request, so there is no reply object.
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
  // The caller may have gone already, which is no failure of ours.
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`)
}
