// Reads the JSON schemas of an OpenAPI 3.0 document into readable field descriptions. Future routes
// may use any schema, so no keyword is assumed to be present, and unknown keywords are ignored.
import type { OpenApiDocument } from '../../kernel/http/openapi.ts'
import type { JsonSchema } from '../../kernel/http/openapi-schema.ts'

export type Field = {
  name: string
  type: string
  // Undefined for fields without a name, such as one of several forms of an object.
  required: boolean | undefined
  description: string
  // The limits of the value, each in a few words.
  limits: string[]
  // The allowed values; empty if any value is allowed.
  values: string[]
  // The unit of an amount, as named in the interface.
  unit: string
  fields: Field[]
}

export type Resolve = (schema: JsonSchema) => JsonSchema

// Schemas that reference themselves nest without end; deeper levels than this are not shown.
const depthMax = 6

export function createResolve(document: OpenApiDocument): Resolve {
  const resolve: Resolve = (schema) => {
    let resolved = schema
    for (let step = 0; typeof resolved.$ref === 'string' && step < depthMax; step += 1) {
      resolved = followPath(document, resolved.$ref)
    }
    return Array.isArray(resolved.allOf) ? mergeAllOf(resolve, resolved) : resolved
  }
  return resolve
}

// The fields of an object, of the items of an array, or of each alternative.
export function fieldsOf(resolve: Resolve, schema: JsonSchema, depth = 0): Field[] {
  if (depth > depthMax) return []
  const resolved = resolve(schema)
  if (isSchema(resolved.items)) return fieldsOf(resolve, resolved.items, depth + 1)
  const required = new Set(listOf(resolved.required))
  const named = Object.entries(schemasIn(resolved.properties)).map(([name, property]) =>
    toField(resolve, name, property, required.has(name), depth),
  )
  if (isSchema(resolved.additionalProperties)) {
    named.push(toField(resolve, '(any name)', resolved.additionalProperties, undefined, depth))
  }
  const alternatives = alternativesOf(resolved)
  for (const [index, alternative] of alternatives.entries()) {
    const fields = fieldsOf(resolve, alternative, depth + 1)
    if (fields.length === 0) continue
    if (alternatives.length === 1) named.push(...fields)
    else named.push(alternativeField(resolve, alternative, `(form ${index + 1})`, fields))
  }
  return named
}

export function toField(
  resolve: Resolve,
  name: string,
  schema: JsonSchema,
  required: boolean | undefined,
  depth = 0,
): Field {
  const resolved = resolve(schema)
  const item = isSchema(resolved.items) ? resolve(resolved.items) : undefined
  return {
    name,
    type: typeText(resolve, resolved),
    required,
    description: textOf(schema.description) || textOf(resolved.description),
    limits: limitsOf(resolved),
    values: valuesOf(resolved).length > 0 ? valuesOf(resolved) : valuesOf(item ?? {}),
    unit: textOf(resolved['x-unit']),
    fields: fieldsOf(resolve, resolved, depth + 1),
  }
}

function alternativeField(
  resolve: Resolve,
  schema: JsonSchema,
  name: string,
  fields: Field[],
): Field {
  const { title, description } = resolve(schema)
  return {
    name: textOf(title) || name,
    type: typeText(resolve, schema),
    required: undefined,
    description: textOf(description),
    limits: [],
    values: [],
    unit: '',
    fields,
  }
}

function typeText(resolve: Resolve, schema: JsonSchema, depth = 0): string {
  if (depth > depthMax) return 'any value'
  const resolved = resolve(schema)
  const ending = resolved.nullable === true ? ' or null' : ''
  const alternatives = alternativesOf(resolved)
  if (alternatives.length > 0) {
    const texts = alternatives.map((alternative) => typeText(resolve, alternative, depth + 1))
    return `${[...new Set(texts)].join(' or ')}${ending}`
  }
  if (isSchema(resolved.items)) {
    return `array of ${typeText(resolve, resolved.items, depth + 1)}${ending}`
  }
  const type = textOf(resolved.type) || (valuesOf(resolved).length > 0 ? 'string' : 'any value')
  const format = textOf(resolved.format)
  return `${type}${format ? ` (${format})` : ''}${ending}`
}

function limitsOf(schema: JsonSchema): string[] {
  const limits = [
    rangeText(numberOf(schema.minLength), numberOf(schema.maxLength), 'character'),
    rangeText(numberOf(schema.minItems), numberOf(schema.maxItems), 'entry', 'entries'),
    boundText(schema.minimum, schema.exclusiveMinimum, 'at least', 'more than'),
    boundText(schema.maximum, schema.exclusiveMaximum, 'at most', 'less than'),
    numberOf(schema.multipleOf) === undefined ? '' : `a multiple of ${schema.multipleOf}`,
    patternText(schema),
    schema.default === undefined ? '' : `\`${JSON.stringify(schema.default)}\` if left out`,
  ]
  return limits.filter((limit) => limit !== '')
}

// A known format says the same in one word.
function patternText({ pattern, format }: JsonSchema): string {
  return textOf(pattern) && !textOf(format) ? `matches \`${textOf(pattern)}\`` : ''
}

function rangeText(
  min: number | undefined,
  max: number | undefined,
  one: string,
  many = `${one}s`,
): string {
  const noun = (count: number) => `${count} ${count === 1 ? one : many}`
  if (max === undefined) return min ? `at least ${noun(min)}` : ''
  if (min === max) return `exactly ${noun(max)}`
  return min ? `${min} to ${noun(max)}` : `at most ${noun(max)}`
}

// The bounds of a safe integer only say that it is an integer. In OpenAPI 3.0 an exclusive bound
// is a flag beside the bound; later versions put the number itself there.
function boundText(bound: unknown, exclusive: unknown, closed: string, open: string): string {
  const value = numberOf(exclusive) ?? numberOf(bound)
  if (value === undefined || Math.abs(value) === Number.MAX_SAFE_INTEGER) return ''
  return `${exclusive === undefined || exclusive === false ? closed : open} ${value}`
}

function valuesOf(schema: JsonSchema): string[] {
  const values = Array.isArray(schema.enum) ? schema.enum : []
  const only = schema.const === undefined ? values : [schema.const]
  return only.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
}

export function alternativesOf(schema: JsonSchema): JsonSchema[] {
  return [schema.oneOf, schema.anyOf].flatMap((list) => (Array.isArray(list) ? list : []))
}

function mergeAllOf(resolve: Resolve, { allOf, ...own }: JsonSchema): JsonSchema {
  const parts = [...(allOf as JsonSchema[]).map(resolve), own]
  const properties = Object.assign({}, ...parts.map((part) => schemasIn(part.properties)))
  const required = parts.flatMap((part) => listOf(part.required))
  return {
    ...Object.assign({}, ...parts),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  }
}

function followPath(document: OpenApiDocument, reference: string): JsonSchema {
  let value: unknown = document
  for (const step of reference.replace(/^#\//, '').split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    value = isSchema(value) ? value[key] : undefined
  }
  return isSchema(value) ? value : {}
}

export function schemasIn(value: unknown): Record<string, JsonSchema> {
  return isSchema(value) ? (value as Record<string, JsonSchema>) : {}
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
