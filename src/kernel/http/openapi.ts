// The OpenAPI 3.0 document of a service, computed from its routes.
import type { z } from 'zod'
import { type FaultKind, faultKinds } from '../basics/fault.ts'
import { bodySchema, inputSchema, outputSchema } from './openapi-schema.ts'
import type { ResponseContract, Route } from './route.ts'
import type { Service } from './service.ts'

export type JsonSchema = { readonly [key: string]: unknown }

export type OpenApiOperation = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security?: Record<string, string[]>[]
  parameters: OpenApiParameter[]
  requestBody?: { required: boolean; content: { 'application/json': { schema: JsonSchema } } }
  responses: Record<string, OpenApiResponse>
  'x-scopes': string[]
  'x-body-scopes'?: { scope: string; when: string }[]
}

export type OpenApiParameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
}

export type OpenApiResponse = {
  description: string
  headers: Record<string, JsonSchema>
  content: Record<string, { schema: JsonSchema }>
}

export type OpenApiDocument = {
  openapi: '3.0.3'
  info: { title: string; description: string; version: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  components: JsonSchema
}

export function openApiDocument<Context>(
  service: Service<Context>,
  publicUrl: string,
): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {}
  for (const route of service.routes) {
    const path = route.path.replaceAll(/:([a-zA-Z]+)/g, '{$1}')
    const operations = paths[path] ?? {}
    operations[route.method.toLowerCase()] = operation(service, route)
    paths[path] = operations
  }
  return {
    openapi: '3.0.3',
    info: { title: service.title, description: service.description, version: service.version },
    servers: [{ url: `${publicUrl}${service.basePath}` }],
    tags: service.tags.map((tag) => ({ ...tag })),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: `A live key (\`${service.keyPrefix}_live_…\`) or a sandbox key (\`${service.keyPrefix}_test_…\`).`,
        },
      },
      headers: { RequestId: requestIdHeader, RetryAfter: retryAfterHeader },
      schemas: { Error: errorSchema },
    },
  }
}

function operation<Context>(service: Service<Context>, route: Route<Context>): OpenApiOperation {
  const open = route.kind === 'public'
  const body = route.body && bodySchema(route.body, service.leavesOutNulls ?? false)
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    tags: [route.tag],
    security: open ? [] : [{ apiKey: [] }],
    parameters: [
      ...parameters(route.params, 'path'),
      ...parameters(route.query, 'query'),
      ...parameters(route.headers, 'header'),
    ],
    ...(body
      ? {
          requestBody: {
            required: Array.isArray(body.required) && body.required.length > 0,
            content: { 'application/json': { schema: body } },
          },
        }
      : {}),
    responses: { ...successes(route), ...failures(route) },
    'x-scopes': [...route.scopes],
    ...(route.bodyScopes
      ? { 'x-body-scopes': route.bodyScopes.map((entry) => ({ ...entry })) }
      : {}),
  }
}

function parameters(
  schema: z.ZodType | undefined,
  place: OpenApiParameter['in'],
): OpenApiParameter[] {
  if (!schema) return []
  const object = inputSchema(schema)
  const required = new Set((object.required as string[] | undefined) ?? [])
  const properties = (object.properties ?? {}) as Record<string, JsonSchema>
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property
    return {
      name: place === 'header' ? headerName(name) : name,
      in: place,
      required: place === 'path' || required.has(name),
      ...(typeof description === 'string' ? { description } : {}),
      schema: rest,
    }
  })
}

function headerName(name: string): string {
  return name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
}

function successes<Context>(route: Route<Context>): Record<string, OpenApiResponse> {
  const responses: Record<string, OpenApiResponse> = {}
  for (const [status, response] of Object.entries(route.responses)) {
    const { description, schema, otherTypes } = response
    const content: OpenApiResponse['content'] = {}
    const types = { ...(schema && { [jsonType]: schema }), ...otherTypes }
    for (const [type, described] of Object.entries(types)) {
      content[type] = { schema: outputSchema(described) }
    }
    responses[status] = {
      description,
      headers: { ...everyHeader, ...ownHeaders(response) },
      content,
    }
  }
  return responses
}

function ownHeaders({ headers = {} }: ResponseContract): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  )
}

function failures<Context>(route: Route<Context>): Record<string, OpenApiResponse> {
  const kinds = new Set<FaultKind>(['rate_limited', 'internal_error', 'unavailable'])
  if (route.kind === 'key') kinds.add('authentication_failed')
  if (route.scopes.length > 0) kinds.add('permission_denied')
  if (route.params) kinds.add('not_found')
  if (route.query || route.headers || route.body) kinds.add('invalid_request')
  if (route.body) kinds.add('payload_too_large')
  for (const kind of route.faults ?? []) kinds.add(kind)

  const responses: Record<string, OpenApiResponse> = {}
  for (const kind of Object.keys(faultKinds) as FaultKind[]) {
    if (!kinds.has(kind)) continue
    const { status } = faultKinds[kind]
    const description = [responses[status]?.description, faultDescriptions[kind]]
    responses[status] = {
      description: description.filter(Boolean).join(' Or: '),
      headers: status === 429 || status === 503 ? { ...everyHeader, ...retryHeader } : everyHeader,
      content: { [jsonType]: { schema: { $ref: '#/components/schemas/Error' } } },
    }
  }
  return responses
}

const faultDescriptions: Record<FaultKind, string> = {
  invalid_request: 'Invalid input or a broken rule (`invalid_request`).',
  authentication_failed:
    'A bad, missing, revoked or expired key, or an address that is not allowed (`authentication_failed`).',
  permission_denied: 'The key or the business is not allowed to do this (`permission_denied`).',
  not_found: 'No such object for the business and environment (`not_found`).',
  conflict: 'The object was changed by another call (`conflict`).',
  payload_too_large: 'The body is too large (`payload_too_large`).',
  rate_limited: 'Too many requests (`rate_limited`).',
  internal_error: 'An error on our side (`internal_error`).',
  not_implemented: 'Not available for that currency or path (`not_implemented`).',
  provider_failed: 'The payment provider failed or could not be reached (`internal_error`).',
  unavailable: 'Temporarily unavailable (`unavailable`).',
  service_paused: 'Paused for maintenance; nothing was processed (`service_paused`).',
}

const jsonType = 'application/json'
const retryHeader = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }
const everyHeader = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }

const requestIdHeader = {
  description: 'Identifies this request in the logs; also `request_id` in the body of an error.',
  required: true,
  schema: { type: 'string' },
}

const retryAfterHeader = {
  description: 'Seconds after which a retry can succeed.',
  schema: { type: 'integer', minimum: 1 },
}

const errorSchema = {
  type: 'object',
  required: ['error', 'code', 'request_id'],
  additionalProperties: false,
  properties: {
    error: {
      description: 'A message for a person; for invalid input an object of messages.',
      oneOf: [
        { type: 'string' },
        {
          type: 'object',
          required: ['formErrors', 'fieldErrors'],
          additionalProperties: false,
          properties: {
            formErrors: { type: 'array', items: { type: 'string' } },
            fieldErrors: {
              type: 'object',
              additionalProperties: { type: 'array', items: { type: 'string' } },
            },
          },
        },
      ],
    },
    code: {
      type: 'string',
      enum: [...new Set(Object.values(faultKinds).map(({ code }) => code))],
    },
    request_id: { type: 'string' },
  },
}
