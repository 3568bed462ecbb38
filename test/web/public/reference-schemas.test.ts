// Schemas that later routes may have, so that the references are ready for them.
import { describe, expect, test } from 'vitest'
import type { OpenApiDocument, OpenApiOperation } from '../../../src/kernel/http/openapi.ts'
import type { JsonSchema } from '../../../src/kernel/http/openapi-schema.ts'
import { curlExample, exampleAnswer } from '../../../src/web/public/example.ts'
import { createResolve, fieldsOf } from '../../../src/web/public/json-schema.ts'

const document: OpenApiDocument = {
  openapi: '3.0.3',
  info: { title: 'Test', description: '', version: '1.0.0' },
  servers: [{ url: 'https://pay.example/api' }],
  tags: [],
  paths: {},
  components: {
    schemas: {
      Money: {
        type: 'object',
        required: ['amount'],
        properties: {
          amount: { type: 'integer', exclusiveMinimum: true, minimum: 0, 'x-unit': 'minor' },
          currency: { type: 'string', enum: ['NGN', 'KES'] },
        },
      },
      Tree: {
        type: 'object',
        properties: { branches: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
      },
    },
  },
}
const resolve = createResolve(document)
const fields = (properties: Record<string, JsonSchema>, required: string[] = []) =>
  fieldsOf(resolve, { type: 'object', required, properties })
const field = (schema: JsonSchema) => fields({ it: schema })[0]

describe('a field', () => {
  test.each<[string, JsonSchema, string]>([
    ['a text', { type: 'string' }, 'string'],
    ['a formatted text', { type: 'string', format: 'date' }, 'string (date)'],
    ['what may be null', { type: 'integer', nullable: true }, 'integer or null'],
    ['a list', { type: 'array', items: { type: 'string' } }, 'array of string'],
    ['a choice', { oneOf: [{ type: 'string' }, { type: 'number' }] }, 'string or number'],
    ['a reference', { $ref: '#/components/schemas/Money' }, 'object'],
    [
      'a reference that may be null',
      { allOf: [{ $ref: '#/components/schemas/Money' }], nullable: true },
      'object or null',
    ],
    ['anything', {}, 'any value'],
    ['a reference to nothing', { $ref: '#/components/schemas/None' }, 'any value'],
  ])('says its type when it is %s', (_, schema, type) => {
    expect(field(schema)?.type).toBe(type)
  })

  test.each<[JsonSchema, string[]]>([
    [{ type: 'string', minLength: 1, maxLength: 160 }, ['1 to 160 characters']],
    [{ type: 'string', minLength: 0, maxLength: 1 }, ['at most 1 character']],
    [{ type: 'string', minLength: 3, maxLength: 3 }, ['exactly 3 characters']],
    [{ type: 'array', items: {}, minItems: 2 }, ['at least 2 entries']],
    [{ type: 'integer', minimum: 1, maximum: 200 }, ['at least 1', 'at most 200']],
    [{ type: 'number', minimum: 0, exclusiveMinimum: true }, ['more than 0']],
    [{ type: 'number', exclusiveMaximum: 100 }, ['less than 100']],
    [{ type: 'integer', minimum: Number.MIN_SAFE_INTEGER }, []],
    [{ type: 'string', pattern: '^a$' }, ['matches `^a$`']],
    [{ type: 'string', pattern: '^a$', format: 'uuid' }, []],
    [{ type: 'boolean', default: false }, ['`false` if left out']],
  ])('%j says its limits', (schema, limits) => {
    expect(field(schema)?.limits).toEqual(limits)
  })

  test('says its unit, its values, and what lies in it', () => {
    const [money] = fields({ money: { $ref: '#/components/schemas/Money' } }, ['money'])
    expect(money?.required).toBe(true)
    expect(
      money?.fields.map(({ name, unit, values, required }) => [name, unit, values, required]),
    ).toEqual([
      ['amount', 'minor', [], true],
      ['currency', '', ['NGN', 'KES'], false],
    ])
  })

  test('shows the fields of the entries of a list, and of each form of a choice', () => {
    const list = field({ type: 'array', items: { $ref: '#/components/schemas/Money' } })
    expect(list?.fields.map(({ name }) => name)).toEqual(['amount', 'currency'])
    const choice = field({
      oneOf: [
        { type: 'object', properties: { a: { type: 'string' } } },
        { title: 'second', type: 'object', properties: { b: { type: 'string' } } },
      ],
    })
    expect(choice?.fields.map((form) => [form.name, form.fields[0]?.name])).toEqual([
      ['(form 1)', 'a'],
      ['second', 'b'],
    ])
  })

  test('that contains itself comes to an end', () => {
    const tree: JsonSchema = { $ref: '#/components/schemas/Tree' }
    expect(fieldsOf(resolve, tree).length).toBe(1)
    expect(() => exampleAnswer(document, tree)).not.toThrow()
  })
})

describe('an example answer', () => {
  test('has what a reader expects under a known name, where the schema takes it', () => {
    const properties = {
      currency: { type: 'string' },
      name: { type: 'string', maxLength: 5 },
      title: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      country: { type: 'string', example: 'KE' },
      other: { type: 'string' },
    }
    expect(JSON.parse(exampleAnswer(document, { type: 'object', properties }))).toEqual({
      currency: 'NGN',
      name: 'text',
      title: 'Coffee beans',
      country: 'KE',
      other: 'text',
    })
  })
})

describe('an example call', () => {
  const operation = (partial: Partial<OpenApiOperation>): OpenApiOperation => ({
    operationId: 'test',
    summary: '',
    tags: [],
    parameters: [],
    responses: {},
    'x-scopes': [],
    ...partial,
  })
  const body = (properties: Record<string, JsonSchema>, required: string[]) => ({
    required: true,
    content: { 'application/json': { schema: { type: 'object', required, properties } } },
  })

  test('fills in what must be there and leaves out the rest', () => {
    const curl = curlExample(
      document,
      'post',
      '/things/{id}',
      operation({
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
          { name: 'mode', in: 'query', required: true, schema: { enum: ['fast', 'slow'] } },
          { name: 'page', in: 'query', required: false, schema: { type: 'integer' } },
          { name: 'X-Kind', in: 'header', required: true, schema: { type: 'string' } },
        ],
        requestBody: body(
          { money: { $ref: '#/components/schemas/Money' }, note: { type: 'string' } },
          ['money'],
        ),
      }),
      'key_test',
    )
    expect(curl.split(' \\\n  ')).toEqual([
      "curl 'https://pay.example/api/things/0198c0de-7a11-7000-8000-000000000001?mode=fast'",
      '-X POST',
      "-H 'Authorization: Bearer key_test'",
      "-H 'X-Kind: text'",
      "-H 'Content-Type: application/json'",
      `-d '{"money":{"amount":450000}}'`,
    ])
  })

  test('quotes for the shell, and sends no key where none is needed', () => {
    const curl = curlExample(
      document,
      'post',
      '/',
      operation({
        security: [],
        requestBody: body({ name: { type: 'string', example: "O'Neil" } }, ['name']),
      }),
      'key_test',
    )
    expect(curl).toContain(`-d '{"name":"O'\\''Neil"}'`)
    expect(curl).not.toContain('Authorization')
  })
})
