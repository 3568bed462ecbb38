// Mounts the endpoints and simulates failures of the network and the provider: late, refused, cut
// off before or after acting, unreadable.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Fault, faultKinds } from '../kernel/basics/fault.ts'
import { parseJson, writeJson } from '../kernel/money/exact-number.ts'
import type { SimulatorContext } from './context.ts'
import type { Call, Endpoint } from './endpoint.ts'
import { type Answer, internalError, refusal } from './envelope.ts'
import { isFields, refuse } from './fields.ts'
import { consumeRules } from './rules/consume-rules.ts'
import { type Effect, findEffect } from './rules/rule.ts'
import { subjectOf } from './rules/subject.ts'
import { openWorld, type World } from './world.ts'

export type MountOptions = {
  readonly prefix: string
  // The control API never misbehaves.
  readonly misbehaves: boolean
  // Ends every wait when the simulator closes.
  readonly signal: AbortSignal
}

export function mountEndpoints(
  app: FastifyInstance,
  context: SimulatorContext,
  endpoints: readonly Endpoint[],
  options: MountOptions,
): void {
  for (const endpoint of endpoints) {
    app.route({
      method: endpoint.method,
      url: `${options.prefix}${endpoint.path}`,
      handler: async (request, reply) => {
        const answer = await answerOf(context, () => serve(context, endpoint, request, options))
        return 'isCut' in answer ? cut(request, reply) : send(reply, answer)
      },
    })
  }
}

type Cut = { readonly isCut: true }

export function send(reply: FastifyReply, answer: Answer | Garbled): FastifyReply {
  const text = typeof answer.body === 'string' ? answer.body : writeJson(answer.body)
  return reply.code(answer.status).header('content-type', 'application/json').send(text)
}

// Converts refusals and our own errors to the provider's envelope.
async function answerOf<T>(context: SimulatorContext, work: () => Promise<T>): Promise<T | Answer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Fault) {
      return refusal(faultKinds[error.kind].status, error.message)
    }
    context.log.error({ err: error }, 'the provider simulator failed')
    return internalError(500, context)
  }
}

// A body that ends in the middle.
type Garbled = { readonly status: number; readonly body: string }
const garbled: Garbled = { status: 200, body: '{"status":"success","message":"Tran' }

async function serve(
  context: SimulatorContext,
  endpoint: Endpoint,
  request: FastifyRequest,
  { misbehaves, signal }: MountOptions,
): Promise<Answer | Garbled | Cut> {
  const world = await openWorld(context, request.headers.authorization)
  const call = readCall(request)
  const act = () => perform(context, world, endpoint, call)
  if (!misbehaves) return act()
  const effects = await effectsOf(context, world, endpoint, call)
  await wait(findEffect(effects, 'delay'), signal)
  if (findEffect(effects, 'drop')) return { isCut: true }
  const refused = findEffect(effects, 'refuse')
  if (refused) return misanswer(context, refused)
  const answer = await act()
  await wait(findEffect(effects, 'delay_after'), signal)
  if (findEffect(effects, 'drop_after')) return { isCut: true }
  const refusedAfter = findEffect(effects, 'refuse_after')
  if (refusedAfter) return misanswer(context, refusedAfter)
  return findEffect(effects, 'unreadable') ? garbled : answer
}

// Webhooks report what was done even if the caller gets no response.
async function perform(
  context: SimulatorContext,
  world: World,
  endpoint: Endpoint,
  call: Call,
): Promise<Answer> {
  const answer = await answerOf(context, () => endpoint.handle(context, world, call))
  if (endpoint.method !== 'GET') context.background.wake()
  return answer
}

async function effectsOf(
  context: SimulatorContext,
  world: World,
  { method, path }: Endpoint,
  call: Call,
): Promise<Effect[]> {
  const { sql } = context.database
  const subject = await subjectOf(sql, world.tenant, path, call)
  return consumeRules(sql, world, 'call', [`${method} ${path}`, '*'], subject)
}

async function wait(effect: Effect | undefined, signal: AbortSignal): Promise<void> {
  const ms = effect?.parameters.ms ?? 0
  if (ms === 0 || signal.aborted) return
  // An abort only ends the wait. What follows still happens, as at a provider.
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Invalid authorization key',
  403: 'Forbidden',
  408: 'Request timeout',
  409: 'Conflict',
  429: 'Too many requests',
}

function misanswer(context: SimulatorContext, { parameters }: Effect): Answer {
  const status = parameters.status ?? 500
  if (status >= 500) return internalError(status, context)
  return refusal(status, parameters.reason ?? reasons[status] ?? 'Request refused')
}

// The caller sees the connection close without any byte of a response.
function cut(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack()
  request.raw.socket.destroy()
  return reply
}

function readCall(request: FastifyRequest): Call {
  return {
    params: request.params as Call['params'],
    query: request.query as Call['query'],
    body: readBody(request.body),
  }
}

function readBody(body: unknown): Call['body'] {
  if (typeof body !== 'string' || body.trim() === '') return {}
  const value = parsed(body)
  if (!isFields(value)) throw refuse('The request body must be a JSON object')
  return value
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw refuse('The request body is not valid JSON')
  }
}
