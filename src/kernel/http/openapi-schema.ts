// Converts the schemas of routes to OpenAPI 3.0.
import { z } from 'zod'
import type { OpenApiMeta } from '../operations/schemas.ts'

export const inputSchema = (schema: z.ZodType) => jsonSchema(schema, 'input')
export const outputSchema = (schema: z.ZodType) => jsonSchema(schema, 'output')

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

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io,
    unrepresentable: 'any',
    // A schema with its own description (see `describedAs`) replaces the derived one. Only the text
    // about its place is kept.
    override: ({ jsonSchema: derived }) => {
      const { openapi } = derived as Partial<OpenApiMeta>
      if (!openapi) return
      const { default: fallback, nullable, description } = derived as Record<string, unknown>
      for (const key of Object.keys(derived)) delete (derived as Record<string, unknown>)[key]
      Object.assign(derived, openapi, definedOnly({ default: fallback, nullable, description }))
    },
  })
}

function definedOnly(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}
