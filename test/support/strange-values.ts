// Values that a schema does not allow, and other unusual values.
import fc from 'fast-check'
import type { JsonSchema } from '../../src/kernel/http/openapi-schema.ts'
import type { Json } from './schema-values.ts'

export function wrongType(schema: JsonSchema): fc.Arbitrary<Json> {
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

export function outOfBounds(schema: JsonSchema): [string, fc.Arbitrary<Json>][] {
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
export const strangeText = fc
  .array(fc.oneof(fc.constantFrom(...strangePieces), fc.string({ unit: 'binary', maxLength: 3 })), {
    minLength: 1,
    maxLength: 6,
  })
  .map((pieces) => pieces.join(''))

// What an HTTP client can put into a header at all: bytes without line breaks.
export const strangeHeaderText = fc
  .array(fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff })), {
    maxLength: 300,
  })
  .map((codes) => String.fromCharCode(...codes))

export const strangeNames = fc.constantFrom(
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '', ' ', '0', '-1'],
  ...['id', 'Name', 'a.b', 'a[b]', '\u0000', '\ud800', 'x'.repeat(1000), '$ref', 'length'],
)

export const oddContentTypes = fc.constantFrom(
  ...['', ' ', ';', '*/*', 'json', 'text/html', 'application/json;charset', 'application/json/x'],
  ...['application/json; charset=utf-16', 'application/jsonp', 'application/xml', 'a'.repeat(3000)],
  ...['multipart/form-data', 'multipart/form-data; boundary=', 'application/json, text/plain'],
  ...['application/x-www-form-urlencoded', '\u00e9', 'application/*', 'application/', '/'],
)

export const doubledHeaders: (readonly [string, string])[][] = [
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

export const oddHeaders: (readonly [string, string])[][] = [
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

export const oddQueries = fc.oneof(
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

export const oddPathEnds = fc.oneof(
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
