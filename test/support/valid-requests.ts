// Valid requests, made from the OpenAPI document.
import fc from 'fast-check'
import type { JsonSchema } from '../../src/kernel/http/openapi-schema.ts'
import type { Described } from './openapi.ts'
import { queryRules, requestRules } from './request-rules.ts'
import { type Json, requiredOf, valuesOf } from './schema-values.ts'

export type FuzzRequest = {
  // Relative to the service's base address, query included.
  readonly path: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string | Buffer | undefined
}

export type Parts = {
  readonly params: Record<string, Json>
  readonly query: Record<string, Json>
  readonly headers: Record<string, Json>
  readonly body: Json | undefined
}

export function validRequests(described: Described): fc.Arbitrary<FuzzRequest> {
  return partsOf(described).map((made) => render(described, made))
}

// One valid request, always the same, with nothing in it that may be left out.
export function sampleRequest(described: Described): Sample {
  const known = samples.get(described.operation)
  if (known) return known
  const [any] = fc.sample(partsOf(described), { numRuns: 1, seed: 7 })
  if (!any) throw new Error('nothing was sampled')
  const made = requiredParts(described, any)
  const headers = Object.fromEntries(
    Object.entries(made.headers).map(([name, value]) => [name, String(value)]),
  )
  const sample = { path: render(described, made).path, headers, body: made.body }
  samples.set(described.operation, sample)
  return sample
}

type Sample = {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json | undefined
}

const samples = new Map<Described['operation'], Sample>()

export function bodySchema({ operation }: Described): JsonSchema | undefined {
  return operation.requestBody?.content['application/json'].schema
}

export function partsOf(described: Described): fc.Arbitrary<Parts> {
  const { parameters } = described.operation
  const group = (place: string) => {
    const own = parameters.filter((parameter) => parameter.in === place)
    return fc.record(Object.fromEntries(own.map(({ name, schema }) => [name, valuesOf(schema)])), {
      requiredKeys: own.filter(({ required }) => required).map(({ name }) => name),
    })
  }
  const schema = bodySchema(described)
  const { operationId } = described.operation
  const rule = requestRules[operationId] ?? asItIs
  return fc.record({
    params: group('path'),
    query: group('query').map((query) => (queryRules[operationId] ?? asItIs)(objectOf(query))),
    headers: group('header'),
    body: schema ? valuesOf(schema).map((body) => rule(objectOf(body))) : fc.constant(undefined),
  })
}

const asItIs = (values: { [name: string]: Json }) => values

function requiredParts(described: Described, made: Parts): Parts {
  const required = new Set(
    described.operation.parameters.filter((one) => one.required).map(({ name }) => name),
  )
  const schema = bodySchema(described)
  const only = (group: Record<string, Json>, names: Iterable<string>) =>
    Object.fromEntries([...names].flatMap((name) => (name in group ? [[name, group[name]]] : [])))
  return {
    params: made.params,
    query: only(made.query, required),
    headers: only(made.headers, required),
    body: schema ? only(objectOf(made.body), requiredOf(schema)) : undefined,
  } as Parts
}

export function render(described: Described, { params, query, headers, body }: Parts): FuzzRequest {
  const path = described.path.replaceAll(/\{([^}]+)\}/g, (_, name) =>
    // A lone half of a character has no encoding; no client can send it.
    encodeURIComponent(String(params[name]).toWellFormed()),
  )
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  ).toString()
  return {
    path: search === '' ? path : `${path}?${search}`,
    headers: [
      ...Object.entries(headers).map(([name, value]) => [name, String(value)] as const),
      ...(body === undefined ? [] : [['content-type', 'application/json'] as const]),
    ],
    body: body === undefined ? undefined : JSON.stringify(body),
  }
}

export function objectOf(body: Json | undefined): { [key: string]: Json } {
  return body !== null && typeof body === 'object' && !Array.isArray(body) ? body : {}
}
