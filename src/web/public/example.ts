// Examples generated from the schemas, so that they stay up to date: valid values, and a curl
// command that works once the reader has inserted a key.
import type {
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
} from '../../kernel/http/openapi.ts'
import type { JsonSchema } from '../../kernel/http/openapi-schema.ts'
import {
  alternativesOf,
  createResolve,
  isSchema,
  listOf,
  type Resolve,
  schemasIn,
} from './json-schema.ts'

const depthMax = 8

type Shape = 'whole' | 'required'

export function exampleAnswer(document: OpenApiDocument, schema: JsonSchema): string {
  return JSON.stringify(exampleOf(createResolve(document), schema, 'whole'), null, 2)
}

export function curlExample(
  document: OpenApiDocument,
  method: string,
  path: string,
  operation: OpenApiOperation,
  key: string,
): string {
  const resolve = createResolve(document)
  const needed = operation.parameters.filter(({ required }) => required)
  const lines = [`curl ${quote(urlOf(document, path, needed, resolve))}`]
  if (method !== 'get') lines.push(`-X ${method.toUpperCase()}`)
  if (operation.security?.length !== 0) lines.push(`-H ${quote(`Authorization: Bearer ${key}`)}`)
  for (const parameter of needed.filter((candidate) => candidate.in === 'header')) {
    lines.push(`-H ${quote(`${parameter.name}: ${exampleText(parameter, resolve)}`)}`)
  }
  const body = operation.requestBody?.content['application/json'].schema
  if (body) {
    lines.push(`-H ${quote('Content-Type: application/json')}`)
    lines.push(`-d ${quote(JSON.stringify(exampleOf(resolve, body, 'required')))}`)
  }
  return lines.join(' \\\n  ')
}

function urlOf(
  document: OpenApiDocument,
  path: string,
  needed: OpenApiParameter[],
  resolve: Resolve,
): string {
  let filled = path
  const query = new URLSearchParams()
  for (const parameter of needed) {
    const text = exampleText(parameter, resolve)
    if (parameter.in === 'path') filled = filled.replace(`{${parameter.name}}`, text)
    if (parameter.in === 'query') query.set(parameter.name, text)
  }
  const search = query.size > 0 ? `?${query}` : ''
  return `${document.servers[0]?.url ?? ''}${filled}${search}`
}

function exampleText({ schema }: OpenApiParameter, resolve: Resolve): string {
  const value = exampleOf(resolve, schema, 'required')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

// A shell takes everything between single quotes literally, except the quote itself.
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function exampleOf(resolve: Resolve, schema: JsonSchema, shape: Shape, depth = 0): unknown {
  const resolved = resolve(schema)
  const given = givenExample(resolved)
  if (given !== undefined) return given
  if (depth > depthMax || resolved.nullable === true) return null
  const [first] = alternativesOf(resolved)
  if (first) return exampleOf(resolve, first, shape, depth + 1)
  if (isSchema(resolved.items)) return [exampleOf(resolve, resolved.items, shape, depth + 1)]
  if (isSchema(resolved.properties)) return objectExample(resolve, resolved, shape, depth)
  switch (resolved.type) {
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return numberExample(resolved)
    case 'string':
      return textExample(resolved)
    case 'array':
      return []
    default:
      return {}
  }
}

// An example request has the required fields or, if there are none, the optional ones.
function objectExample(
  resolve: Resolve,
  schema: JsonSchema,
  shape: Shape,
  depth: number,
): Record<string, unknown> {
  const required = new Set(listOf(schema.required))
  const entries = Object.entries(schemasIn(schema.properties))
  const shown =
    shape === 'whole' || required.size === 0
      ? entries.filter(([name]) => required.has(name) || !rareFields.has(name))
      : entries.filter(([name]) => required.has(name))
  return Object.fromEntries(
    shown.map(([name, property]) => [
      name,
      namedExample(resolve, name, property) ?? exampleOf(resolve, property, shape, depth + 1),
    ]),
  )
}

// Optional fields that a usual answer does not have.
const rareFields = new Set(['failure_reason', 'subscription_id', 'idempotentReplay'])

// Typical values by field name, for fields whose schema only says that they are text.
const names: Readonly<Record<string, string>> = {
  currency: 'NGN',
  country: 'NG',
  name: 'Corner shop',
  title: 'Coffee beans',
  description: 'Two bags, whole',
  externalReference: 'seller-17',
  external_reference: 'seller-17',
  bankCode: '044',
  account_bank: '044',
  accountNumber: '0690000031',
  account_number_last4: '0031',
  account_name: 'Market Stall',
  recipient_mobile: '+2348000000000',
  contact_email: 'shop@example.com',
  contact_phone: '+2348000000000',
  failure_reason: 'Insufficient funds',
  event_type: 'payment.succeeded',
  secret: 'whsec_…',
  url: 'https://shop.example.com/webhooks',
  number: 'INV-0001',
  code: '1100',
  openapi: '3.0.3',
  version: '1.0.0',
}

// Amounts of one payment of NGN 4,500, so that those of an example add up.
const amounts: readonly (readonly [RegExp, number])[] = [
  [/refunded/, 0],
  [/refund/, 150_000],
  [/fee/, 6_750],
  [/net/, 443_250],
  [/split/, 45_000],
]

function amountExample(name: string, unit: unknown): number | undefined {
  if (unit !== 'minor' && unit !== 'major') return undefined
  const [, amount] = amounts.find(([pattern]) => pattern.test(name)) ?? [name, 450_000]
  return unit === 'minor' ? amount : amount / 100
}

function namedExample(
  resolve: Resolve,
  name: string,
  schema: JsonSchema,
): string | number | undefined {
  const resolved = resolve(schema)
  if (givenExample(resolved) === undefined && typeof resolved['x-unit'] === 'string') {
    return amountExample(name, resolved['x-unit'])
  }
  const [text = resolved] = alternativesOf(resolved)
  const { type, format, pattern, minLength, maxLength } = text
  const example = names[name]
  if (example === undefined || type !== 'string' || format !== undefined) return undefined
  if (givenExample(resolved) !== undefined || givenExample(text) !== undefined) return undefined
  if (typeof pattern === 'string' && !new RegExp(pattern).test(example)) return undefined
  if (typeof minLength === 'number' && example.length < minLength) return undefined
  return typeof maxLength === 'number' && example.length > maxLength ? undefined : example
}

function givenExample(schema: JsonSchema): unknown {
  const [example] = Array.isArray(schema.examples) ? schema.examples : []
  const [value] = Array.isArray(schema.enum) ? schema.enum : []
  return schema.example ?? example ?? schema.default ?? schema.const ?? value
}

function numberExample(schema: JsonSchema): number {
  const { minimum, exclusiveMinimum, maximum } = schema
  const floor = typeof exclusiveMinimum === 'number' ? exclusiveMinimum : minimum
  const least = typeof floor === 'number' && floor > 0 ? floor : 0
  const usual = least === 0 ? 1 : least + (exclusiveMinimum ? 1 : 0)
  return typeof maximum === 'number' ? Math.min(usual, maximum) : usual
}

const formats: Record<string, string> = {
  uuid: '0198c0de-7a11-7000-8000-000000000001',
  email: 'person@example.com',
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00.000Z',
  uri: 'https://shop.example.com/return',
  decimal: '100.00',
}

function textExample(schema: JsonSchema): string {
  const known = typeof schema.format === 'string' ? formats[schema.format] : undefined
  if (known) return known
  const max = typeof schema.maxLength === 'number' ? schema.maxLength : undefined
  const min = typeof schema.minLength === 'number' ? schema.minLength : 0
  return 'text'.padEnd(min, '.').slice(0, max)
}
