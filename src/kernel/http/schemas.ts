// The vetted building blocks of request schemas. Plain Zod has traps for an interface like ours
// (`z.url()` takes `javascript:`, `coerce` turns '' into 0, numbers lose digits), so routes use
// these, and each says for itself how OpenAPI describes it.
import { z } from 'zod'
import { isUuid } from '../basics/id.ts'

// A schema whose description cannot be derived from what it checks carries it in its metadata.
export type OpenApiMeta = { readonly openapi: Record<string, unknown> }

export function describedAs<Schema extends z.ZodType>(
  schema: Schema,
  openapi: Record<string, unknown>,
): Schema {
  return schema.meta({ openapi } satisfies OpenApiMeta) as Schema
}

export const uuid = () =>
  describedAs(
    z
      .string()
      .refine(isUuid, { error: 'Must be a UUID.' })
      .transform((text) => text.toLowerCase()),
    { type: 'string', format: 'uuid' },
  )

// Text that people read: trimmed, at least one character, no control characters, and a limit
// counted in characters as a person counts them (code points), not in UTF-16 units.
export const text = (max: number) => boundedText(1, max)

// The same, but may be empty.
export const optionalText = (max: number) => boundedText(0, max)

function boundedText(min: number, max: number) {
  return describedAs(
    z
      .string()
      .transform((value) => value.trim())
      .refine((value) => !hasControlCharacters(value), {
        error: 'Must not contain control characters.',
      })
      .refine((value) => [...value].length >= min, { error: 'Must not be empty.' })
      .refine((value) => [...value].length <= max, { error: `At most ${max} characters.` }),
    { type: 'string', minLength: min, maxLength: max },
  )
}

// U+0000 cannot be stored, lone surrogates cannot be encoded, the rest has no place in a name.
function hasControlCharacters(value: string): boolean {
  return !value.isWellFormed() || /[^\P{Cc}\t\n\r]/u.test(value)
}

const emailMax = 254

export const emailAddress = () =>
  describedAs(
    z
      .string()
      .transform((value) => value.trim())
      .pipe(z.email({ error: 'Must be an e-mail address.' }).max(emailMax)),
    { type: 'string', format: 'email', maxLength: emailMax },
  )

export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: `Must be one of: ${values.join(', ')}.` })

export const timestamp = () => describedAs(z.string(), { type: 'string', format: 'date-time' })

// `Idempotency-Key`: visible ASCII, so that a proxy hands it on unchanged.
export const idempotencyKeyHeader = (min: number, max: number) =>
  z.object({
    'idempotency-key': describedAs(
      z
        .string()
        .regex(/^[\x21-\x7e]*$/, { error: 'Only visible ASCII characters.' })
        .min(min, { error: `At least ${min} characters.` })
        .max(max, { error: `At most ${max} characters.` })
        .optional(),
      { type: 'string', minLength: min, maxLength: max, pattern: '^[!-~]*$' },
    ),
  })
