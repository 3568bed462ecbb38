// Requests made from the OpenAPI document: valid ones, and ones that are one mutation away. A
// mutation says whether it must be refused; the others may be answered in any described way.
import fc from 'fast-check'
import type { JsonSchema } from '../../src/kernel/http/openapi.ts'
import type { Described } from './openapi.ts'
import { queryRules, requestRules } from './request-rules.ts'
import { type Json, propertiesOf, requiredOf, valuesOf } from './schema-values.ts'

export type FuzzRequest = {
  // Relative to the service's base address, query included.
  readonly path: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string | Buffer | undefined
}

export type Mutation = {
  readonly name: string
  readonly mustBeRefused: boolean
  readonly request: fc.Arbitrary<FuzzRequest>
}

type Parts = {
  readonly params: Record<string, Json>
  readonly query: Record<string, Json>
  readonly headers: Record<string, Json>
  readonly body: Json | undefined
}

export function validRequests(described: Described): fc.Arbitrary<FuzzRequest> {
  return parts(described).map((made) => render(described, made))
}

// One valid request, always the same, with nothing in it that may be left out.
export function sampleRequest(described: Described) {
  const [any] = fc.sample(parts(described), { numRuns: 1, seed: 7 })
  if (!any) throw new Error('nothing was sampled')
  const made = requiredParts(described, any)
  const headers = Object.fromEntries(
    Object.entries(made.headers).map(([name, value]) => [name, String(value)]),
  )
  return { path: render(described, made).path, headers, body: made.body }
}

export function mutations(described: Described): Mutation[] {
  const body = bodySchema(described)
  return [
    ...(body ? bodyMutations(described, body) : []),
    ...parameterMutations(described),
    ...transportMutations(described),
  ]
}

function bodySchema({ operation }: Described): JsonSchema | undefined {
  return operation.requestBody?.content['application/json'].schema
}

function parts(described: Described): fc.Arbitrary<Parts> {
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

function render(described: Described, { params, query, headers, body }: Parts): FuzzRequest {
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

function bodyMutations(described: Described, schema: JsonSchema): Mutation[] {
  const valid = parts(described)
  const properties = propertiesOf(schema)
  const with_ = (change: (body: { [key: string]: Json }) => Json) =>
    valid.map((made) => render(described, { ...made, body: change(objectOf(made.body)) }))
  const replaced = (name: string, values: fc.Arbitrary<Json>) =>
    fc
      .tuple(valid, values)
      .map(([made, value]) =>
        render(described, { ...made, body: { ...objectOf(made.body), [name]: value } }),
      )
  const raw = (bodies: fc.Arbitrary<string | Buffer>) =>
    fc.tuple(validRequests(described), bodies).map(([made, body]) => ({ ...made, body }))

  return [
    ...requiredOf(schema).map((name) =>
      refused(
        `without ${name}`,
        with_(({ [name]: _, ...rest }) => rest),
      ),
    ),
    ...properties.map(([name, property]) =>
      refused(`${name} of a wrong type`, replaced(name, wrongType(property))),
    ),
    ...properties.flatMap(([name, property]) =>
      outOfBounds(property).map(([what, value]) =>
        refused(`${name} ${what}`, replaced(name, value)),
      ),
    ),
    ...properties
      .filter(([, property]) => property.type === 'string')
      .map(([name]) => free(`${name} of strange characters`, replaced(name, strangeText))),
    refused(
      'an unknown field',
      raw(
        fc.tuple(valid, strangeNames, fc.jsonValue()).map(([made, name, value]) => {
          const known = JSON.stringify(objectOf(made.body)).slice(1, -1)
          const comma = known === '' ? '' : ','
          return `{${known}${comma}${JSON.stringify(name)}:${JSON.stringify(value)}}`
        }),
      ),
    ),
    free('any JSON', raw(fc.json({ maxDepth: 5 }))),
    free('a field nested deep', raw(fc.constantFrom(10, 63, 64, 65, 5000).map(nested))),
    free('bytes', raw(fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)))),
    free('JSON cut short', cut(validRequests(described))),
  ]
}

function parameterMutations(described: Described): Mutation[] {
  const valid = parts(described)
  return described.operation.parameters.flatMap((parameter) => {
    const { name, schema } = parameter
    const place = { path: 'params', query: 'query', header: 'headers' } as const
    const group = place[parameter.in]
    const replaced = (values: fc.Arbitrary<Json>) =>
      fc
        .tuple(valid, values)
        .map(([made, value]) =>
          render(described, { ...made, [group]: { ...made[group], [name]: value } }),
        )
    const strange = parameter.in === 'header' ? strangeHeaderText : strangeText
    return [
      // An id that cannot be one is 404, the rest 400.
      ...outOfBounds(schema).map(([what, value]) => refused(`${name} ${what}`, replaced(value))),
      free(`${name} of strange characters`, replaced(strange)),
    ]
  })
}

function transportMutations(described: Described): Mutation[] {
  const valid = validRequests(described)
  const withHeaders = (headers: fc.Arbitrary<(readonly [string, string])[]>) =>
    fc
      .tuple(valid, headers)
      .map(([made, more]) => ({ ...made, headers: [...made.headers, ...more] }))
  return [
    free(
      'an odd content type',
      fc.tuple(valid, oddContentTypes).map(([made, type]) => ({
        ...made,
        headers: [
          ...made.headers.filter(([name]) => name !== 'content-type'),
          ['content-type', type] as const,
        ],
      })),
    ),
    free('a header twice', withHeaders(fc.constantFrom(...doubledHeaders))),
    free('odd headers', withHeaders(fc.constantFrom(...oddHeaders))),
    free(
      'an odd query',
      fc.tuple(valid, oddQueries).map(([made, query]) => ({
        ...made,
        path: `${made.path}${made.path.includes('?') ? '&' : '?'}${query}`,
      })),
    ),
    free(
      'an odd path',
      fc.tuple(valid, oddPathEnds).map(([made, end]) => ({
        ...made,
        path: (made.path.split('?')[0] ?? '') + end,
      })),
    ),
  ]
}

const refused = (name: string, request: fc.Arbitrary<FuzzRequest>): Mutation => ({
  name,
  mustBeRefused: true,
  request,
})
const free = (name: string, request: fc.Arbitrary<FuzzRequest>): Mutation => ({
  name,
  mustBeRefused: false,
  request,
})

function objectOf(body: Json | undefined): { [key: string]: Json } {
  return body !== null && typeof body === 'object' && !Array.isArray(body) ? body : {}
}

function wrongType(schema: JsonSchema): fc.Arbitrary<Json> {
  const samples: [string, Json][] = [
    ['string', 'text'],
    ['integer', 7],
    ['number', 0.5],
    ['boolean', true],
    ['array', []],
    ['array', [1, 'a', null]],
    ['object', {}],
    ['object', { toString: 1, valueOf: 2 }],
  ]
  const type = String(schema.type)
  const numeric = type === 'number' || type === 'integer'
  const wrong = samples
    .filter(([name]) => name !== type && !(numeric && (name === 'integer' || name === 'number')))
    // Text that is written like a number may stand for one.
    .map(([, value]) => value)
  return fc.constantFrom(...wrong, ...(schema.nullable === true ? [] : [null]))
}

function outOfBounds(schema: JsonSchema): [string, fc.Arbitrary<Json>][] {
  const cases: [string, fc.Arbitrary<Json>][] = []
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = schema
  if (typeof maxLength === 'number') {
    const length = fc.constantFrom(maxLength + 1, maxLength + 2, maxLength * 2, 5000)
    cases.push(['too long', length.map((count) => 'x'.repeat(Math.max(count, maxLength + 1)))])
  }
  if (typeof minLength === 'number' && minLength > 0) {
    cases.push(['too short', fc.constant('x'.repeat(minLength - 1))])
  }
  if (typeof minimum === 'number') {
    cases.push(['too small', fc.constantFrom(minimum - 1, minimum - 0.001, -1e21, -1e308)])
  }
  if (typeof maximum === 'number') {
    cases.push(['too large', fc.constantFrom(maximum + 1, maximum + 0.001, 1e21, 1e308)])
  }
  if (typeof maxItems === 'number')
    cases.push(['too many', fc.constant(Array(maxItems + 1).fill(0))])
  if (typeof minItems === 'number' && minItems > 0) cases.push(['too few', fc.constant([])])
  if (Array.isArray(schema.enum)) {
    const known = schema.enum as Json[]
    const other = fc.oneof(fc.string(), fc.constantFrom('', 'null', String(known[0]).toUpperCase()))
    cases.push(['none of the values', other.filter((value) => !known.includes(value))])
  }
  if (schema.format) {
    // Where a schema says that a text may be empty, that stands for none.
    const empty = schema.minLength === 0 ? [] : ['']
    cases.push(['of no such format', fc.constantFrom(...empty, '0', 'x', '\u00e9', '-')])
  }
  return cases
}

const strangePieces = [
  '\u0000',
  '\u0007',
  '\u001b[31m',
  '\u0085',
  '\ud800',
  '\udfff',
  '\ufeff',
  '\u202e',
  '\u2028',
  '\ufffe',
  '\u{10ffff}',
  'e\u0301\u0301\u0301',
  '👩‍👩‍👧‍👦',
  "' or 1=1 --",
  '{{7*7}}',
  '%s%n%00',
  '../../etc/passwd',
  '<!--<script>',
  '\r\nX-Injected: yes',
  'ﬃ',
  'İ',
  'ß',
]
const strangeText = fc
  .array(fc.oneof(fc.constantFrom(...strangePieces), fc.string({ unit: 'binary', maxLength: 3 })), {
    minLength: 1,
    maxLength: 6,
  })
  .map((pieces) => pieces.join(''))

// What an HTTP client can put into a header at all: bytes without line breaks.
const strangeHeaderText = fc
  .array(fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff })), {
    maxLength: 300,
  })
  .map((codes) => String.fromCharCode(...codes))

const strangeNames = fc.constantFrom(
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '', ' ', '0', '-1'],
  ...['id', 'Name', 'a.b', 'a[b]', '\u0000', '\ud800', 'x'.repeat(1000), '$ref', 'length'],
)

function nested(levels: number): string {
  return `{"name":${'{"a":['.repeat(levels)}1${']}'.repeat(levels)}}`
}

function cut(requests: fc.Arbitrary<FuzzRequest>): fc.Arbitrary<FuzzRequest> {
  return fc.tuple(requests, fc.nat()).map(([made, at]) => {
    const body = String(made.body ?? '')
    return { ...made, body: body.slice(0, at % Math.max(body.length, 1)) }
  })
}

const oddContentTypes = fc.constantFrom(
  ...['', ' ', ';', '*/*', 'json', 'text/html', 'application/json;charset', 'application/json/x'],
  ...['application/json; charset=utf-16', 'application/jsonp', 'application/xml', 'a'.repeat(3000)],
  ...['multipart/form-data', 'multipart/form-data; boundary=', 'application/json, text/plain'],
  ...['application/x-www-form-urlencoded', '\u00e9', 'application/*', 'application/', '/'],
)

const doubledHeaders: (readonly [string, string])[][] = [
  [['authorization', 'Bearer x']],
  [
    ['content-type', 'application/json'],
    ['content-type', 'text/plain'],
  ],
  [
    ['idempotency-key', 'first'],
    ['idempotency-key', 'second'],
  ],
  [
    ['x-request-id', 'a'],
    ['x-request-id', 'b'],
  ],
  [
    ['x-forwarded-for', '1.2.3.4'],
    ['x-forwarded-for', 'nonsense'],
  ],
  [['host', 'another.example']],
]

const oddHeaders: (readonly [string, string])[][] = [
  [['accept', 'text/html']],
  [['accept', ';;;']],
  [['accept-encoding', 'br;q=nonsense']],
  [['x-http-method-override', 'DELETE']],
  [['content-encoding', 'gzip']],
  [['expect', '100-continue']],
  [['range', 'bytes=0-0']],
  [['if-none-match', '*']],
  [['if-modified-since', 'Sun, 15 Nov 2099 00:00:00 GMT']],
  [['origin', 'https://evil.example']],
  [['forwarded', 'for=1.2.3.4']],
  [['cookie', 'a=b; __proto__=c']],
  [['accept-version', '9.9.9']],
  [['te', 'trailers']],
  [['x-empty', '']],
  [['x-long', 'a'.repeat(8000)]],
]

const oddQueries = fc.oneof(
  fc.constantFrom(
    ...['a=1&a=2', '__proto__=1', '__proto__[x]=1', 'constructor=x', 'type[]=customer', '&&&', '='],
    ...[
      '%',
      '%zz',
      '%00',
      '%ff',
      'type=%ff',
      'type=%00',
      'type',
      '?',
      '#',
      'limit=-1',
      'limit=NaN',
    ],
    ...[
      'offset=1e9',
      `q=${'a'.repeat(4000)}`,
      Array(300).fill('a=1').join('&'),
      'type=customer&type=',
    ],
  ),
  fc.webQueryParameters(),
)

const oddPathEnds = fc.oneof(
  fc.constantFrom(
    ...['/', '//', '/.', '/..', '/../', '%2f', '%2e%2e', '%', '%zz', '%00', '%ff', ';a=b', '.json'],
    ...[
      '/null',
      '/undefined',
      '/__proto__',
      '/constructor',
      '*',
      ':id',
      '{id}',
      `/${'a'.repeat(200)}`,
    ],
    ...[`/${'a/'.repeat(200)}`, '%20', '+', '\\', '|', '~', '@', "'", '%F0%9F%9B%92'],
  ),
  fc.webSegment().map((segment) => `/${segment}`),
)
