// The OpenAPI 3.0 document of a service, computed from its routes.
import type { z } from 'zod'
import {
  errorSchema,
  failures,
  type OpenApiResponse,
  responseHeaders,
  successes,
} from './openapi-responses.ts'
import {
  bodySchema,
  type Components,
  createComponents,
  inputSchema,
  type JsonSchema,
} from './openapi-schema.ts'
import { type OpenApiWebhook, webhooksOf } from './openapi-webhooks.ts'
import type { Route } from './route.ts'
import type { Service } from './service.ts'

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

export type OpenApiDocument = {
  openapi: '3.0.3'
  info: { title: string; description: string; version: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  // OpenAPI 3.0 has no place for what a service sends by itself; this name is the usual one.
  'x-webhooks'?: Record<string, OpenApiWebhook>
  components: JsonSchema
}

export function openApiDocument<Context>(
  service: Service<Context>,
  publicUrl: string,
): OpenApiDocument {
  const components = createComponents(service.resources)
  const paths: OpenApiDocument['paths'] = {}
  for (const route of service.routes) {
    const path = route.path.replaceAll(/:([a-zA-Z]+)/g, '{$1}')
    const operations = paths[path] ?? {}
    operations[route.method.toLowerCase()] = operation(service, route, components)
    paths[path] = operations
  }
  return {
    openapi: '3.0.3',
    info: { title: service.title, description: service.description, version: service.version },
    servers: [{ url: `${publicUrl}${service.basePath}` }],
    tags: service.tags.map((tag) => ({ ...tag })),
    paths,
    ...(service.webhooks && { 'x-webhooks': webhooksOf(service.webhooks, components) }),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: `A live key (\`${service.keyPrefix}_live_…\`) or a sandbox key (\`${service.keyPrefix}_test_…\`).`,
        },
      },
      headers: responseHeaders,
      schemas: { ...components.all(), Error: errorSchema },
    },
  }
}

function operation<Context>(
  service: Service<Context>,
  route: Route<Context>,
  components: Components,
): OpenApiOperation {
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
    responses: { ...successes(route, components), ...failures(route) },
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
