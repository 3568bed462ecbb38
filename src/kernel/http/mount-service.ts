// Mounts a service's routes. The order of the checks is part of the interface: address limit → key
// (format, checksum, row, revoked, expired, address list) → key limit → scope → body → checks of
// the operation. The body of a refused caller is never read.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { KeyActor } from '../auth/actor.ts'
import type { Authenticator } from '../auth/authenticate.ts'
import { Fault, invalid, notFound } from '../basics/fault.ts'
import { type Log, whileServing } from '../basics/log.ts'
import { ExactNumber, parseJson, writeJson } from '../money/exact-number.ts'
import { leaveOutNulls } from '../operations/left-out-nulls.ts'
import { requireScope } from '../operations/permission.ts'
import { validated } from '../operations/validate.ts'
import { addressKey, type RateLimiter } from './rate-limit.ts'
import type { Answer, KeyRoute, PublicRoute, Streamed } from './route.ts'
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
  interface FastifyRequest {
    actor: KeyActor | undefined
    address: string
    arrivedMs: number
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
      scope.addHook('onRequest', async (request, reply) => {
        reply.headers(options.headers)
        request.address = options.addressOf(request)
        // Each service counts separately. This is not a UUID, so it can't be taken for a key's id.
        const key = `${service.name} ${addressKey(request.address)}`
        await requireAllowed(reply, options.limiter, key, options.limitPerAddress)
        if (!request.is404) return
        request.actor = await callerOf(service, request, options)
        // Before the body is read, since no body makes a path exist.
        throw scope.unknownPath(request)
      })
      scope.setNotFoundHandler((request) => {
        throw scope.unknownPath(request)
      })
      for (const route of service.routes) {
        if (route.kind === 'key') mountKeyRoute(scope, service, route, context, options)
        else mountPublicRoute(scope, route, options)
      }
    },
    { prefix: service.basePath },
  )
}

// A path that does not exist is refused without a key too. A valid one says in whose log of
// requests the refusal belongs.
async function callerOf<Context>(
  service: Service<Context>,
  { headers, address }: FastifyRequest,
  { authenticator }: MountOptions,
): Promise<KeyActor | undefined> {
  try {
    return await authenticator.authenticate(service, headers.authorization, address)
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

function mountPublicRoute(scope: FastifyInstance, route: PublicRoute, { log }: MountOptions): void {
  scope.route({
    method: route.method,
    url: route.path,
    exposeHeadRoute: true,
    handler: (request, reply) => {
      validate(noQuery, request.query)
      return send(reply, route.handle(), log)
    },
  })
}

function mountKeyRoute<Context>(
  scope: FastifyInstance,
  service: Service<Context>,
  route: KeyRoute<Context>,
  context: Context,
  options: MountOptions,
): void {
  scope.route({
    method: route.method,
    url: route.path,
    exposeHeadRoute: route.method === 'GET',
    onRequest: async (request, reply) => {
      const actor = await options.authenticator.authenticate(
        service,
        request.headers.authorization,
        request.address,
      )
      request.actor = actor
      await requireAllowed(reply, options.limiter, actor.keyId, options.limitPerKey)
      if (route.scopes.length > 0) requireScope(actor, route.scopes)
    },
    ...(route.bodyLimitBytes !== undefined && { bodyLimit: route.bodyLimitBytes }),
    handler: async (request, reply) =>
      send(reply, await run(service, route, context, request), options.log),
  })
}

async function run<Context>(
  { leavesOutNulls }: Service<Context>,
  route: KeyRoute<Context>,
  context: Context,
  request: FastifyRequest,
) {
  const { actor } = request
  if (!actor) throw new Error(`${route.operationId} was reached without authentication`)
  const sent = request.body ?? {}
  const body = leavesOutNulls && route.body ? leaveOutNulls(route.body, sent) : sent
  const input = {
    actor,
    requestId: request.id,
    params: validatePath(route, request.params),
    query: validate(route.query ?? noQuery, request.query),
    headers: validate(route.headers, request.headers),
    body: validate(route.body, body),
  }
  return whileServing(request.id, () => route.handle(context, input))
}

function send(
  reply: FastifyReply,
  result: Answer | Streamed,
  log: Log,
): FastifyReply | Promise<FastifyReply> {
  if ('pieces' in result) {
    // A response to HEAD has no body, so no piece is made.
    const pieces = reply.request.method === 'HEAD' ? noPieces() : result.pieces
    return sendStreamed(reply, { ...result, pieces }, log)
  }
  const { status, body, headers } = result
  if (headers) reply.headers(headers)
  if (body === undefined) return reply.code(status).send()
  return reply.code(status).header('content-type', jsonType).send(writeJson(body))
}

async function* noPieces(): AsyncGenerator<string> {}

async function requireAllowed(
  reply: FastifyReply,
  limiter: RateLimiter,
  key: string,
  limit: number,
): Promise<void> {
  const verdict = await limiter.take(key, limit)
  if (verdict.allowed) {
    showLimit(reply, limit, verdict.remaining, verdict.resetSeconds)
    return
  }
  const { retryAfterSeconds } = verdict
  showLimit(reply, limit, 0, retryAfterSeconds)
  const message = 'Too many requests. Wait for the seconds in Retry-After.'
  throw new Fault('rate_limited', message, { retryAfterSeconds })
}

// A request counts against its address and its key. Callers see the limit that they will meet
// first.
function showLimit(
  reply: FastifyReply,
  limit: number,
  remaining: number,
  resetSeconds: number,
): void {
  const shown = reply.getHeader('ratelimit-remaining')
  if (typeof shown === 'number' && shown < remaining) return
  reply.headers({
    'ratelimit-limit': limit,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': resetSeconds,
  })
}

// For routes that take no query: a misspelt parameter must not be ignored.
const noQuery = z.strictObject({})

function validate(schema: z.ZodType | undefined, value: unknown): unknown {
  return schema && validated(schema, value)
}

// An invalid id gets the same response as an unknown one.
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

// Numbers arrive as ExactNumber objects, which are not JSON objects.
function isJsonObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return !Array.isArray(value) && !(value instanceof ExactNumber)
}

async function refuseMediaType(_request: FastifyRequest, body: Buffer): Promise<unknown> {
  if (body.length === 0) return {}
  throw invalid('Send the body as application/json.')
}
