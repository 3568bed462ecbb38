// Converts the schemas of routes to OpenAPI 3.0.
import { z } from 'zod'
import type { OpenApiMeta } from '../operations/schemas.ts'

export const inputSchema = (schema: z.ZodType) => jsonSchema(schema, 'input')
export const outputSchema = (schema: z.ZodType) => jsonSchema(schema, 'output')

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
