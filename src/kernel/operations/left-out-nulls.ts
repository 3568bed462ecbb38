// For callers that send `null` for missing values: an optional field that is null counts as left
// out. A nullable field keeps null; a required one is still missing.
import { z } from 'zod'
import { bareSchema, isRecord } from './outer-names.ts'

export function leaveOutNulls(schema: z.core.$ZodType, value: unknown): unknown {
  const bare = bareSchema(schema)
  if (bare instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((part) => leaveOutNulls(bare.element, part))
  }
  if (!(bare instanceof z.ZodObject && isRecord(value))) return value
  const fields = new Map<string, z.core.$ZodType>(Object.entries(bare.shape))
  const kept = Object.entries(value).flatMap(([name, part]) => {
    const field = fields.get(name)
    if (!field) return [[name, part] as const]
    return part === null && isLeftOut(field) ? [] : [[name, leaveOutNulls(field, part)] as const]
  })
  return Object.fromEntries(kept)
}

function isLeftOut(field: z.core.$ZodType): boolean {
  return z.safeParse(field, undefined).success && !z.safeParse(field, null).success
}
