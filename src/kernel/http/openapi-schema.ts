// Converts the schemas of routes to OpenAPI 3.0.
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { OpenApiMeta } from '../operations/schemas.ts'

export type JsonSchema = { readonly [key: string]: unknown }

export const inputSchema = (schema: z.ZodType) => jsonSchema(schema, 'input')

export function bodySchema(schema: z.ZodType, leavesOutNulls: boolean): Record<string, unknown> {
  const body = inputSchema(schema)
  return leavesOutNulls ? optionalAsNullable(body) : body
}

type Described = {
  readonly properties?: Readonly<Record<string, Described>>
  readonly items?: Described
  readonly required?: readonly string[]
}

// Null counts as left out, also in the objects of a list.
function optionalAsNullable(schema: Described): Record<string, unknown> {
  const { properties, items, required } = schema
  if (items) return { ...schema, items: optionalAsNullable(items) }
  if (!properties) return schema
  const described = Object.entries(properties).map(([name, property]) => {
    const isOptional = !required?.includes(name)
    return [name, { ...optionalAsNullable(property), ...(isOptional && { nullable: true }) }]
  })
  return { ...schema, properties: Object.fromEntries(described) }
}

// What is answered or sent. Resources become components, which programs that generate clients make
// types of; a resource is known by its schema, wherever that stands.
export type Components = {
  // An object that is no resource becomes a component of the given name.
  describe(schema: z.ZodType, name: string): JsonSchema
  all(): Record<string, JsonSchema>
}

export function createComponents(resources: Readonly<Record<string, z.ZodType>>): Components {
  const names = new Map<z.core.$ZodType, string>(
    Object.entries(resources).map(([name, schema]) => [schema, name]),
  )
  const named = new Map<string, JsonSchema>()
  const keep = (name: string, schema: JsonSchema): JsonSchema => {
    const known = named.get(name)
    if (known && !isDeepStrictEqual(known, schema)) throw new Error(`two schemas are named ${name}`)
    named.set(name, schema)
    return { $ref: `#/components/schemas/${name}` }
  }
  const hoist = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(hoist)
    if (typeof value !== 'object' || value === null) return value
    const node = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, hoist(part)]))
    // Later versions add fields, and clients must not stumble over them.
    if (node.additionalProperties === false) delete node.additionalProperties
    const { [nameKey]: component, nullable, ...schema } = node
    if (typeof component !== 'string') return node
    const reference = keep(component, schema)
    // In OpenAPI 3.0 nothing may stand beside a reference.
    return nullable === true ? { nullable, allOf: [reference] } : reference
  }
  return {
    describe(schema, name) {
      const described = hoist(jsonSchema(schema, 'output', names)) as JsonSchema
      return described.type === 'object' ? keep(name, described) : described
    },
    all: () => Object.fromEntries([...named].sort(([one], [other]) => (one < other ? -1 : 1))),
  }
}

// Marks a resource until it is moved to the components.
const nameKey = 'x-component'

function jsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  names?: ReadonlyMap<z.core.$ZodType, string>,
): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io,
    unrepresentable: 'any',
    // A schema with its own description (see `describedAs`) replaces the derived one. Only the text
    // about its place is kept.
    override: ({ zodSchema, jsonSchema: derived }) => {
      const name = names?.get(zodSchema)
      if (name !== undefined) Object.assign(derived, { [nameKey]: name })
      const { openapi } = derived as Partial<OpenApiMeta>
      if (!openapi) return
      const {
        default: fallback,
        nullable,
        description,
        example,
      } = derived as Record<string, unknown>
      for (const key of Object.keys(derived)) delete (derived as Record<string, unknown>)[key]
      const said = definedOnly({ default: fallback, nullable, description, example })
      Object.assign(derived, openapi, said)
    },
  })
}

function definedOnly(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}
