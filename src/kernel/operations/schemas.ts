// The building blocks of request schemas. Plain Zod has traps for an interface like ours (`z.url()`
// accepts `javascript:`, `coerce` turns '' into 0, numbers lose digits), so routes use these. Each
// has its own OpenAPI description.
import { z } from 'zod'
import { isUuid } from '../basics/id.ts'
import { isOneLine, withoutDirectionMarks } from '../basics/one-line.ts'
import { findCurrency, isCurrency } from '../money/currency.ts'
import { compare, Decimal, parseDecimal, toText } from '../money/decimal.ts'
import { ExactNumber } from '../money/exact-number.ts'
import { amountMinorMax, toMinor } from '../money/minor-units.ts'

// The description of a schema, if it can't be derived from the checks.
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

// Text that people read: trimmed, without marks that turn its direction, no control characters but
// tabs and line breaks, and a limit counted in characters as a person counts them (code points),
// not in UTF-16 units. May be empty.
export const optionalText = (max: number) => boundedText(0, max, hasControlCharacters)

// The same, but not empty.
export const someText = (max: number) => boundedText(1, max, hasControlCharacters)

// Text of one line, such as a name: not empty, no line break and no tab.
export const line = (max: number) => boundedText(1, max, (value) => !isOneLine(value))

export const optionalLine = (max: number) => boundedText(0, max, (value) => !isOneLine(value))

// What a person looks for in a list.
export const searchText = line(100)

function boundedText(min: number, max: number, isRefused: (value: string) => boolean) {
  return describedAs(
    z
      .string()
      .transform((value) => withoutDirectionMarks(value).trim())
      .refine((value) => !isRefused(value), {
        error: 'Must not contain control characters.',
      })
      .refine((value) => [...value].length >= min, { error: 'Must not be empty.' })
      .refine((value) => [...value].length <= max, { error: `At most ${max} characters.` }),
    { type: 'string', minLength: min, maxLength: max },
  )
}

// U+0000 can't be stored, lone surrogates can't be encoded, and the rest does not belong in text.
function hasControlCharacters(value: string): boolean {
  return !value.isWellFormed() || /[^\P{Cc}\t\n\r]/u.test(value)
}

const emailMax = 254
const email = () =>
  z
    .email({ error: 'Must be an e-mail address.' })
    .max(emailMax, { error: `At most ${emailMax} characters.` })

export const emailAddress = () =>
  describedAs(
    z
      .string()
      .transform((value) => value.trim())
      .pipe(email()),
    { type: 'string', format: 'email', maxLength: emailMax },
  )

// The same, but empty text means none, as in forms that send every field.
export const optionalEmailAddress = () =>
  describedAs(
    z
      .string()
      .transform((value) => value.trim())
      .pipe(z.union([z.literal(''), email()])),
    { type: 'string', format: 'email', minLength: 0, maxLength: emailMax },
  )

export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: `Must be one of: ${values.join(', ')}.` })

export const timestamp = () => describedAs(z.string(), { type: 'string', format: 'date-time' })

// A calendar day as text, without a time zone. Not before the year 1000, so that the days before it
// can be computed and are still valid in the database.
export const day = () =>
  describedAs(
    z.string().refine((text) => /^[1-9]/.test(text) && z.iso.date().safeParse(text).success, {
      error: 'Must be a date such as 2030-01-31.',
    }),
    { type: 'string', format: 'date' },
  )

// A time with `Z` or an offset.
export const dateTime = () =>
  describedAs(
    z.iso
      .datetime({ offset: true, error: 'Must be a date and time such as 2030-01-31T12:00:00Z.' })
      .transform((text) => new Date(text)),
    { type: 'string', format: 'date-time' },
  )

// `Idempotency-Key`: printable ASCII, so that proxies pass it on unchanged. HTTP has already
// removed blanks around it.
export const idempotencyKeyHeader = (min: number, max: number) =>
  z.object({
    'idempotency-key': describedAs(
      z
        .string()
        .regex(/^[\x20-\x7e]*$/, { error: 'Use printable ASCII characters only.' })
        .min(min, { error: min === 1 ? 'Must not be empty.' : `At least ${min} characters.` })
        .max(max, { error: `At most ${max} characters.` })
        .optional(),
      { type: 'string', minLength: min, maxLength: max, pattern: '^[!-~]([ -~]*[!-~])?$' },
    ),
  })

// A whole number of a currency's smallest unit, at least 1. JSON numbers arrive as the text that
// was sent, so no digit is lost; `100.0` and `1e2` count as whole numbers. Commands and pages pass
// a bigint.
export const minorAmount = (max: bigint = amountMinorMax) =>
  describedAs(
    z.unknown().transform((value, refinement) => {
      const number = typeof value === 'bigint' ? new Decimal(value, 0) : sentNumber(value)
      if (number?.scale === 0 && number.digits >= 1n && number.digits <= max) return number.digits
      const message = `Must be a whole number from 1 to ${max}, in minor units.`
      refinement.addIssue({ code: 'custom', message })
      return z.NEVER
    }),
    {
      type: 'integer',
      minimum: 1,
      maximum: JSON.parse(max.toString()),
      'x-unit': 'minor',
      example: 450_000,
    },
  )

// The same key as a field of the body, where all characters are possible.
export const idempotencyKeyText = (max: number) =>
  describedAs(
    z
      .string()
      .refine((value) => !hasControlCharacters(value), {
        error: 'Must not contain control characters.',
      })
      .refine((value) => value !== '', { error: 'Must not be empty.' })
      .refine((value) => [...value].length <= max, { error: `At most ${max} characters.` }),
    { type: 'string', minLength: 1, maxLength: max },
  )

// Upper case only, so that a currency has one spelling. Whether the provider supports it is not
// checked here.
export const currencyCode = () =>
  describedAs(z.string().refine(isCurrency, { error: 'Must be an ISO 4217 code in upper case.' }), {
    type: 'string',
    minLength: 3,
    maxLength: 3,
    pattern: '^[A-Z]{3}$',
    example: 'NGN',
  })

// An amount in major units. The currency decides how many decimals it can have: see `minorUnits`.
export const majorAmount = (min: Decimal, max: Decimal) =>
  boundedNumber(min, max, ', in major units', { 'x-unit': 'major', example: 4500 })

// A number with all decimals that were sent. Commands and pages pass a Decimal.
export const decimalBetween = (min: Decimal, max: Decimal) => boundedNumber(min, max, '', {})

function boundedNumber(min: Decimal, max: Decimal, unit: string, described: object) {
  const [least, most] = [toText(min), toText(max)]
  return describedAs(
    z.unknown().transform((value, refinement) => {
      const number = value instanceof Decimal ? value : sentNumber(value)
      if (number && compare(number, min) >= 0 && compare(number, max) <= 0) return number
      const message = `Must be a number from ${least} to ${most}${unit}.`
      refinement.addIssue({ code: 'custom', message })
      return z.NEVER
    }),
    { type: 'number', minimum: JSON.parse(least), maximum: JSON.parse(most), ...described },
  )
}

function sentNumber(value: unknown): Decimal | undefined {
  return value instanceof ExactNumber ? parseDecimal(value.source) : undefined
}

// Amounts in responses.
export const majorNumber = () => describedAs(z.number(), { type: 'number', 'x-unit': 'major' })
export const minorNumber = () => describedAs(z.number(), { type: 'integer', 'x-unit': 'minor' })

// For the transform of a body: converts the amount in one of its fields to minor units, or null if
// there is none. Too many decimals become a problem of that field.
export function minorUnits<Field extends string>(
  body: { readonly currency: string } & { readonly [name in Field]?: Decimal | undefined },
  field: Field,
  refinement: z.RefinementCtx,
): bigint | null {
  const amount = body[field]
  const currency = findCurrency(body.currency)
  if (amount === undefined || currency === undefined) return null
  const amountMinor = toMinor(amount, currency)
  if (typeof amountMinor === 'bigint') return amountMinor
  const message = `${currency.code} has ${currency.decimals || 'no'} decimals.`
  refinement.addIssue({ code: 'custom', path: [field], message })
  return null
}
