// Puts a service's routes on the server. The order of the checks is part of the interface:
// address limit → key (format, checksum, row, revoked, expired, address list) → key limit → scope
// → body → what the operation itself checks. The body of a refused caller is never read.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { KeyActor } from '../auth/actor.ts'
import type { Authenticator } from '../auth/authenticate.ts'
import { Fault, invalid, notFound } from '../basics/fault.ts'
import { type Log, whileServing } from '../basics/log.ts'
import { ExactNumber, parseJson, writeJson } from '../money/exact-number.ts'
import { requireScope } from '../operations/permission.ts'
import { validated } from '../operations/validate.ts'
import { addressKey, type RateLimiter, type Verdict } from './rate-limit.ts'
import type { Answer, ConstantRoute, KeyRoute, Streamed } from './route.ts'
import { sendStreamed } from './send-streamed.ts'
import type { Service } from './service.ts'

export type MountOptions = {
  readonly authenticator: Authenticator
  readonly limiter: RateLimiter
  readonly limitPerKey: number
  readonly limitPerAddress: number
  readonly addressOf: (request: FastifyRequest) => string
  readonly headers: Readonly<Record<string, string>>
  readonly log: Log
}

declare module 'fastify' {
  interface FastifyInstance {
    // What is done once for every answer. Called for those that Fastify sends; who writes an answer
    // past it calls this too.
    finish(request: FastifyRequest, reply: FastifyReply): void
  }
  interface FastifyRequest {
    actor: KeyActor | undefined
    address: string
    arrivedMs: number
    // The route's pattern, noted by routes that are called often: to ask Fastify for it is slow.
    pattern: string
  }
}

const jsonType = 'application/json; charset=utf-8'

export async function mountService<Context>(
  app: FastifyInstance,
  service: Service<Context>,
  context: Context,
  options: MountOptions,
): Promise<void> {
  await app.register(
    async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJsonBody)
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, refuseMediaType)
      scope.addHook('onRequest', (request, reply, done) => {
        reply.headers(options.headers)
        request.address = options.addressOf(request)
        // An address is no UUID, so it cannot be taken for a key's id.
        const key = addressKey(request.address)
        const verdict = options.limiter.take(key, options.limitPerAddress)
        // In memory the answer is there at once, and waiting for it would be most of its cost.
        if (verdict instanceof Promise) verdict.then(settle, done)
        else settle(verdict)
        function settle(settled: Verdict) {
          if (!settled.allowed) done(limitFault(settled.retryAfterSeconds))
          // Here rather than when the body was read, since nothing in it can make a path exist.
          else done(request.is404 ? scope.unknownPath(request) : undefined)
        }
      })
      scope.setNotFoundHandler((request) => {
        throw scope.unknownPath(request)
      })
      for (const route of service.routes) {
        if (route.kind === 'constant') mountConstantRoute(scope, route, options.headers)
        else mountKeyRoute(scope, service, route, context, options)
      }
    },
    { prefix: service.basePath },
  )
}

// Past Fastify's own sending, which for an answer that never changes is most of what it costs.
function mountConstantRoute(
  scope: FastifyInstance,
  route: ConstantRoute,
  headers: MountOptions['headers'],
): void {
  const payload = writeJson(route.value)
  const pattern = scope.prefix + route.path
  const fixed = {
    ...headers,
    'content-type': jsonType,
    'content-length': String(Buffer.byteLength(payload)),
  }
  const pairs = ['x-request-id', '', ...Object.entries(fixed).flat()]
  scope.get(route.path, { exposeHeadRoute: false }, (request, reply) => {
    request.pattern = pattern
    const own = pairs.slice()
    own[1] = request.id
    reply.hijack()
    reply.raw.writeHead(200, own).end(payload)
    scope.finish(request, reply)
  })
}

function mountKeyRoute<Context>(
  scope: FastifyInstance,
  service: Service<Context>,
  route: KeyRoute<Context>,
  context: Context,
  options: MountOptions,
): void {
  const pattern = scope.prefix + route.path
  scope.route({
    method: route.method,
    url: route.path,
    exposeHeadRoute: false,
    onRequest: async (request) => {
      request.pattern = pattern
      const actor = await options.authenticator.authenticate(
        service,
        request.headers.authorization,
        request.address,
      )
      request.actor = actor
      const verdict = await options.limiter.take(actor.keyId, options.limitPerKey)
      if (!verdict.allowed) throw limitFault(verdict.retryAfterSeconds)
      if (route.scopes.length > 0) requireScope(actor, route.scopes)
    },
    handler: async (request, reply) => send(reply, await run(route, context, request), options.log),
  })
}

async function run<Context>(route: KeyRoute<Context>, context: Context, request: FastifyRequest) {
  const { actor } = request
  if (!actor) throw new Error(`${route.operationId} was reached without authentication`)
  const input = {
    actor,
    requestId: request.id,
    params: validatePath(route, request.params),
    query: validate(route.query, request.query),
    headers: validate(route.headers, request.headers),
    body: validate(route.body, request.body ?? {}),
  }
  return whileServing(request.id, () => route.handle(context, input))
}

function send(
  reply: FastifyReply,
  result: Answer | Streamed,
  log: Log,
): FastifyReply | Promise<FastifyReply> {
  if ('pieces' in result) return sendStreamed(reply, result, log)
  const { status, body, headers } = result
  if (headers) reply.headers(headers)
  if (body === undefined) return reply.code(status).send()
  return reply.code(status).header('content-type', jsonType).send(writeJson(body))
}

function limitFault(retryAfterSeconds: number): Fault {
  const message = 'Too many requests. Wait as long as Retry-After says.'
  return new Fault('rate_limited', message, { retryAfterSeconds })
}

function validate(schema: z.ZodType | undefined, value: unknown): unknown {
  return schema && validated(schema, value)
}

// An id that cannot be one names no object, and is answered as one that names none.
function validatePath(route: Pick<KeyRoute<never>, 'path' | 'params'>, value: unknown): unknown {
  if (!route.params) return undefined
  const result = route.params.safeParse(value)
  if (!result.success) throw notFound(namedIn(route.path))
  return result.data
}

// `/split-recipients/:id` is about a split recipient.
function namedIn(path: string): string | undefined {
  const plural = /([^/]+)\/:/.exec(path)?.[1]
  return plural?.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', ' ')
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

async function parseJsonBody(_request: FastifyRequest, body: Buffer): Promise<unknown> {
  if (body.length === 0) return {}
  let value: unknown
  try {
    value = parseJson(utf8.decode(body))
  } catch (error) {
    if (error instanceof Fault) throw error
    throw invalid('The body is not valid JSON.')
  }
  if (!isJsonObject(value)) throw invalid('The body must be a JSON object.')
  return value
}

// A number arrives as an object of its own, which is none in JSON.
function isJsonObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return !Array.isArray(value) && !(value instanceof ExactNumber)
}

async function refuseMediaType(_request: FastifyRequest, body: Buffer): Promise<unknown> {
  if (body.length === 0) return {}
  throw invalid('Send the body as application/json.')
}
