// Values that a schema of the OpenAPI document allows, for fast-check. Edge values are frequent:
// shortest, longest, smallest, largest.
import fc from 'fast-check'
import type { JsonSchema } from '../../src/kernel/http/openapi-schema.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export function valuesOf(schema: JsonSchema): fc.Arbitrary<Json> {
  const value = plainValue(schema)
  return schema.nullable === true ? fc.option(value, { freq: 4 }) : value
}

function plainValue(schema: JsonSchema): fc.Arbitrary<Json> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as Json[]))
  for (const choice of ['oneOf', 'anyOf'] as const) {
    const schemas = schema[choice] as JsonSchema[] | undefined
    if (schemas) return fc.oneof(...schemas.map(valuesOf))
  }
  switch (schema.type) {
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return integer(schema)
    case 'number':
      return number(schema)
    case 'string':
      return text(schema)
    case 'array':
      return fc.array(valuesOf((schema.items ?? {}) as JsonSchema), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: Math.min(Number(schema.maxItems ?? 5), 20),
      })
    case 'object':
      return object(schema)
    default:
      throw new Error(`no values are known for the schema ${JSON.stringify(schema)}`)
  }
}

export function propertiesOf(schema: JsonSchema): [string, JsonSchema][] {
  return Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
}

export function requiredOf(schema: JsonSchema): string[] {
  return (schema.required as string[] | undefined) ?? []
}

function object(schema: JsonSchema): fc.Arbitrary<Json> {
  const model = Object.fromEntries(
    propertiesOf(schema).map(([name, property]) => [name, valuesOf(property)]),
  )
  return fc.record(model, { requiredKeys: requiredOf(schema) })
}

function integer(schema: JsonSchema): fc.Arbitrary<number> {
  const min = Number(schema.minimum ?? -1_000_000) + (schema.exclusiveMinimum === true ? 1 : 0)
  const max = Number(schema.maximum ?? 1_000_000) - (schema.exclusiveMaximum === true ? 1 : 0)
  return fc.oneof(
    fc.constantFrom(min, max),
    fc.maxSafeInteger().map((any) => within(any, min, max)),
  )
}

// Two decimals: what every currency with decimals can hold.
function number(schema: JsonSchema): fc.Arbitrary<number> {
  const min = Math.ceil(Number(schema.minimum ?? -1_000_000) * 100)
  const max = Math.floor(Number(schema.maximum ?? 1_000_000) * 100)
  const hundredths = fc.maxSafeInteger().map((any) => within(any, min, max))
  return fc.oneof(fc.constantFrom(min, max), hundredths).map((value) => value / 100)
}

function within(any: number, min: number, max: number): number {
  return min + (Math.abs(any) % (max - min + 1))
}

function text(schema: JsonSchema): fc.Arbitrary<string> {
  const min = Number(schema.minLength ?? 0)
  const max = Number(schema.maxLength ?? Math.max(min, 100))
  const format = formats[String(schema.format)]
  if (format) return format
  const fits = (value: string) => [...value].length >= min && [...value].length <= max
  if (typeof schema.pattern === 'string') {
    const pattern = schema.pattern.replace('*$', `{${Math.max(min, 1)},${Math.min(max, 40)}}$`)
    return fc.stringMatching(new RegExp(pattern)).filter(fits)
  }
  return fc
    .oneof(
      fc.array(character, { minLength: min, maxLength: max }),
      fc.array(character, { minLength: max, maxLength: max, size: 'max' }),
      fc.array(character, { minLength: min, maxLength: min }),
    )
    .map((characters) => characters.join(''))
}

// What is visible, of every alphabet: blanks at an edge would be trimmed away.
const character = fc
  .oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0x21, max: 0x7e }) },
    { weight: 1, arbitrary: fc.integer({ min: 0x4e00, max: 0x9fff }) },
    { weight: 1, arbitrary: fc.integer({ min: 0x1f300, max: 0x1f5ff }) },
    { weight: 1, arbitrary: fc.constantFrom(0x301, 0x200d, 0x2019, 0x5d0, 0x627) },
  )
  .map((code) => String.fromCodePoint(code))

const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString())

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,20}$/)

const formats: Record<string, fc.Arbitrary<string> | undefined> = {
  uuid: fc.uuid(),
  email: fc.tuple(word, word).map(([local, domain]) => `${local}@${domain}.example`),
  date: day.map((text) => text.slice(0, 10)),
  'date-time': day,
  uri: fc.tuple(word, word).map(([host, path]) => `https://${host}.example/${path}`),
}
