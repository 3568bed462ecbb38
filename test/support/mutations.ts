// Requests that are one mutation away from a valid one. A mutation says whether it must be refused;
// the others can get any described response.
import fc from 'fast-check'
import type { JsonSchema } from '../../src/kernel/http/openapi-schema.ts'
import type { Described } from './openapi.ts'
import { type Json, propertiesOf, requiredOf } from './schema-values.ts'
import {
  doubledHeaders,
  oddContentTypes,
  oddHeaders,
  oddPathEnds,
  oddQueries,
  outOfBounds,
  strangeHeaderText,
  strangeNames,
  strangeText,
  wrongType,
} from './strange-values.ts'
import {
  bodySchema,
  type FuzzRequest,
  objectOf,
  partsOf,
  render,
  validRequests,
} from './valid-requests.ts'

export type Mutation = {
  readonly name: string
  readonly mustBeRefused: boolean
  readonly request: fc.Arbitrary<FuzzRequest>
}

export function mutations(described: Described): Mutation[] {
  const body = bodySchema(described)
  return [
    ...(body ? bodyMutations(described, body) : []),
    ...parameterMutations(described),
    ...transportMutations(described),
  ]
}

function bodyMutations(described: Described, schema: JsonSchema): Mutation[] {
  const valid = partsOf(described)
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
  const valid = partsOf(described)
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

function nested(levels: number): string {
  return `{"name":${'{"a":['.repeat(levels)}1${']}'.repeat(levels)}}`
}

function cut(requests: fc.Arbitrary<FuzzRequest>): fc.Arbitrary<FuzzRequest> {
  return fc.tuple(requests, fc.nat()).map(([made, at]) => {
    const body = String(made.body ?? '')
    return { ...made, body: body.slice(0, at % Math.max(body.length, 1)) }
  })
}
