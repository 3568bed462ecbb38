// Compares every response with the OpenAPI document of its service: the operation must describe the
// status, the body must match the schema exactly, the headers must be present. Contract tests call
// through `useContract`, so none can forget it.
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { afterAll, expect } from 'vitest'
import { services } from '../../src/app/services.ts'
import {
  type OpenApiDocument,
  type OpenApiOperation,
  openApiDocument,
} from '../../src/kernel/http/openapi.ts'
import type { JsonSchema } from '../../src/kernel/http/openapi-schema.ts'
import { expectInvariants } from './invariants.ts'
import {
  type CallOptions,
  type CallResult,
  useWorld,
  type World,
  type WorldOptions,
} from './world.ts'

export type Described = {
  readonly service: (typeof services)[number]
  readonly path: string
  readonly method: string
  readonly operation: OpenApiOperation
  // Of the addresses that it answers.
  readonly pattern: RegExp
}

export const documents: ReadonlyMap<string, OpenApiDocument> = new Map(
  services.map((service) => [service.name, openApiDocument(service, 'https://tillbook.example')]),
)

// Every operation of every service, as its document describes it.
export const operations: readonly Described[] = services.flatMap((service) =>
  Object.entries(documents.get(service.name)?.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      service,
      path,
      method: method.toUpperCase(),
      operation,
      pattern: templatePattern(service.basePath + path),
    })),
  ),
)

export type ContractCall = (
  method: string,
  path: string,
  options?: CallOptions,
) => Promise<CallResult>

// For a test file: its own world, and a call that checks what comes back.
export function useContract(options: WorldOptions = {}): {
  world: () => World
  call: ContractCall
} {
  const world = useWorld(options)
  afterAll(async () => {
    await world().stopWork?.()
    await expectInvariants(world().database)
  })
  return {
    world,
    call: (method, path, callOptions) => checkedCall(world(), method, path, callOptions),
  }
}

export async function checkedCall(
  world: World,
  method: string,
  path: string,
  options?: CallOptions,
): Promise<CallResult> {
  const result = await world.call(method, path, options)
  expectAsDescribed(method, path, result)
  return result
}

export function expectAsDescribed(method: string, url: string, result: CallResult): void {
  const name = `${method} ${url}: ${result.status} ${result.text.slice(0, 500)}`
  const requestId = result.headers.get('x-request-id')
  expect(requestId, name).toMatch(/^req_[\w-]+$/)
  const described = findOperation(method, url)
  if (!described) {
    expect(result.status, name).toBe(404)
    if (method === 'HEAD') return
    expect(result.body?.request_id, name).toBe(requestId)
    expect(problems(errorValidator(), result.body), name).toEqual([])
    return
  }
  const response = described.operation.responses[result.status]
  expect(response, `${name}: this status is not described`).toBeDefined()
  const type = result.headers.get('content-type')?.split(';')[0] ?? ''
  const types = Object.keys(response?.content ?? {})
  // An answer without a body has no type.
  expect(types.length === 0 ? [''] : types, name).toContain(type)
  for (const header of requiredHeaders(described, result.status)) {
    expect(result.headers.get(header), `${name}: ${header} is missing`).not.toBeNull()
  }
  if (types.length === 0 || method === 'HEAD') {
    expect(result.text, name).toBe('')
    return
  }
  const body = type === 'application/json' ? result.body : result.text
  expect(problems(validator(described, result.status, type), body), name).toEqual([])
  if (result.status >= 400) expect(result.body.request_id, name).toBe(requestId)
}

export function findOperation(method: string, url: string): Described | undefined {
  const path = url.split('?')[0] ?? ''
  return operations.find(
    (candidate) =>
      candidate.method === (method === 'HEAD' ? 'GET' : method) && candidate.pattern.test(path),
  )
}

// A limit always says when to come back; elsewhere the header depends on the cause. A path that is
// too long to be routed is refused before it is counted. Only a repeated call is told that it is
// one.
function requiredHeaders({ operation }: Described, status: number): string[] {
  const named = Object.keys(operation.responses[status]?.headers ?? {})
  return named.filter((header) => {
    if (header === 'Idempotent-Replay') return false
    if (header === 'Retry-After') return status === 429
    return !header.startsWith('RateLimit-') || status !== 404
  })
}

function templatePattern(template: string): RegExp {
  const escaped = template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)
}

function problems(validate: ValidateFunction, body: unknown): string[] {
  if (validate(body)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath} ${message ?? ''} ${JSON.stringify(params)}`,
  )
}

const validators = new Map<string, ValidateFunction>()

function validator(described: Described, status: number, type: string): ValidateFunction {
  const { service, operation } = described
  const schema = operation.responses[status]?.content[type]?.schema ?? {}
  return compiled(
    `${service.name} ${operation.operationId} ${status} ${type}`,
    service.name,
    schema,
  )
}

// What was sent to an endpoint, against the description of its event.
export function expectEventAsDescribed(service: string, body: { readonly type: string }): void {
  const webhook = documents.get(service)?.['x-webhooks']?.[body.type]
  const schema = webhook?.post.requestBody.content['application/json'].schema
  expect(schema, `${body.type} is not described`).toBeDefined()
  const validate = compiled(`${service} ${body.type}`, service, schema ?? {})
  expect(problems(validate, body), JSON.stringify(body)).toEqual([])
}

type StoredEvent = { readonly type: string; readonly data: unknown }

// The same for events of the books as they are stored, which have no envelope yet.
export function expectBooksEventsAsDescribed(events: readonly StoredEvent[]): void {
  const some = '0198c0de-7a11-7000-8000-000000000001'
  const envelope = { id: some, created_at: '2026-01-31T12:00:00.000Z', org_id: some }
  for (const event of events) expectEventAsDescribed('books', { ...envelope, ...event })
}

function errorValidator(): ValidateFunction {
  const [service] = services
  if (!service) throw new Error('there is no service')
  return compiled('error', service.name, { $ref: '#/components/schemas/Error' })
}

function compiled(name: string, service: string, schema: JsonSchema): ValidateFunction {
  const known = validators.get(name)
  if (known) return known
  const made = ajv.compile(toJsonSchema(inDocumentOf(service, schema)) as object)
  validators.set(name, made)
  return made
}

const exclusiveBounds = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const

// One for all schemas, so that it compiles what they share once.
const ajv = new Ajv({ strict: false, allErrors: true })
// The package is CommonJS; its types put the function under `default`.
addFormats.default(ajv)
for (const { name } of services) {
  const components = documents.get(name)?.components
  ajv.addSchema(toJsonSchema(inDocumentOf(name, { components })) as object, name)
}

// A schema that stands alone says which document it refers to.
function inDocumentOf(service: string, schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === '$ref' && typeof value === 'string' ? `${service}${value}` : value,
  )
}

// OpenAPI 3.0 says `nullable` and has boolean exclusive bounds, where JSON Schema has the type
// `null` and numbers.
export function toJsonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toJsonSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  const { nullable, ...own } = schema as Record<string, unknown>
  const converted: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(own)) converted[key] = toJsonSchema(value)
  for (const [bound, exclusive] of exclusiveBounds) {
    if (converted[exclusive] === true) {
      converted[exclusive] = converted[bound]
      delete converted[bound]
    } else if (converted[exclusive] === false) delete converted[exclusive]
  }
  // Clients must take fields that they don't know; here a field that is not described is a mistake.
  if ('properties' in converted) converted.additionalProperties ??= false
  return nullable === true ? { anyOf: [converted, { type: 'null' }] } : converted
}
