// The answers of a route in the OpenAPI document: what succeeds, what fails, and their headers.
import { type FaultKind, faultKinds } from '../basics/fault.ts'
import type { Components, JsonSchema } from './openapi-schema.ts'
import type { ResponseContract, Route } from './route.ts'

export type OpenApiResponse = {
  description: string
  headers: Record<string, JsonSchema>
  content: Record<string, { schema: JsonSchema }>
}

export function successes<Context>(
  route: Route<Context>,
  components: Components,
): Record<string, OpenApiResponse> {
  const responses: Record<string, OpenApiResponse> = {}
  for (const [status, response] of Object.entries(route.responses)) {
    const { description, schema, otherTypes } = response
    const content: OpenApiResponse['content'] = {}
    const types = { ...(schema && { [jsonType]: schema }), ...otherTypes }
    for (const [type, described] of Object.entries(types)) {
      content[type] = { schema: components.describe(described, responseName(route, status)) }
    }
    responses[status] = {
      description,
      headers: { ...everyHeader, ...ownHeaders(response) },
      content,
    }
  }
  return responses
}

// For answers that are no resource themselves, such as a page of a list.
function responseName<Context>({ operationId, responses }: Route<Context>, status: string): string {
  const name = operationId.charAt(0).toUpperCase() + operationId.slice(1)
  const isOnly = Object.keys(responses).length === 1
  return `${name}${isOnly ? '' : status}Response`
}

function ownHeaders({ headers = {} }: ResponseContract): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  )
}

export function failures<Context>(route: Route<Context>): Record<string, OpenApiResponse> {
  // Every route refuses query parameters that it does not have.
  const kinds = new Set<FaultKind>([
    'invalid_request',
    'rate_limited',
    'internal_error',
    'unavailable',
  ])
  if (route.kind === 'key') kinds.add('authentication_failed')
  if (route.scopes.length > 0) kinds.add('permission_denied')
  if (route.params) kinds.add('not_found')
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
const everyHeader = {
  'X-Request-Id': { $ref: '#/components/headers/RequestId' },
  'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
  'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
  'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
}

const countHeader = (description: string) => ({
  description,
  schema: { type: 'integer', minimum: 0 },
})

const requestIdHeader = {
  description: 'Identifies this request in the logs; also `request_id` in the body of an error.',
  required: true,
  schema: { type: 'string' },
}

const retryAfterHeader = {
  description: 'Seconds after which a retry can succeed.',
  schema: { type: 'integer', minimum: 1 },
}

export const errorSchema = {
  type: 'object',
  required: ['error', 'code', 'request_id'],
  properties: {
    error: {
      description: 'A message for a person; for invalid input an object of messages.',
      oneOf: [
        { type: 'string' },
        {
          type: 'object',
          required: ['formErrors', 'fieldErrors'],
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

export const responseHeaders = {
  RequestId: requestIdHeader,
  RetryAfter: retryAfterHeader,
  RateLimitLimit: countHeader('How many requests the limit allows in a minute.'),
  RateLimitRemaining: countHeader('How many more requests are allowed now.'),
  RateLimitReset: countHeader('Seconds until the oldest request no longer counts.'),
}
