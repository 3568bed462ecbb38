// Callers that run an operation by its name use `account_id`, as in the published interface; the
// code uses `accountId`. This is the one place where names are converted: in the input, in the
// result and in faults.
import { z } from 'zod'
import { Fault } from '../basics/fault.ts'
import { unknownField } from './unknown-field.ts'
import { validated } from './validate.ts'

export function outerName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

// Renames the input to the names of the schema. An unknown name is reported as it was written,
// together with all other problems.
export function inward(schema: z.ZodType, given: unknown): unknown {
  const unknown: UnknownName[] = []
  const inner = rename(schema, given, [], unknown)
  if (unknown.length === 0) return inner
  throw unknownNames(unknown, faultOf(schema, inner))
}

// Renames the result. Only plain data is renamed; amounts, times and bytes are values.
export function outward(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(outward)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [outerName(name), outward(part)]),
  )
}

// Only for faults about input that has passed `inward`, so that no name of the caller is renamed.
export function outwardFault(fault: Fault): Fault {
  if (typeof fault.error === 'string') return fault
  const { formErrors, fieldErrors } = fault.error
  const named = Object.entries(fieldErrors).map(
    ([field, messages]) => [outerName(field), messages.map(outwardPath)] as const,
  )
  return new Fault(
    fault.kind,
    { formErrors, fieldErrors: Object.fromEntries(named) },
    { cause: fault },
  )
}

// A problem inside a list starts with its position, as in `2.accountId: No such account.` The
// message about an unknown field lists the known ones.
function outwardPath(message: string): string {
  const placed = message.replace(/^\d+(\.\w+)*(?=: )/, outerName)
  return placed.replaceAll(/(?<=\bUnknown field\..*)\b[a-z]+[A-Z]\w*/g, outerName)
}

type UnknownName = { readonly path: readonly (string | number)[]; readonly message: string }

function rename(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly (string | number)[],
  unknown: UnknownName[],
): unknown {
  const bare = bareSchema(schema)
  if (bare instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((part, index) => rename(bare.element, part, [...path, index], unknown))
  }
  if (!(bare instanceof z.ZodObject && isRecord(value))) return value
  const shape: z.core.$ZodShape = bare.shape
  const fields = new Map(
    Object.entries(shape).map(([name, field]) => [outerName(name), { name, field }]),
  )
  const renamed: [string, unknown][] = []
  for (const [written, part] of Object.entries(value)) {
    const known = fields.get(written)
    const place = [...path, written]
    if (known) renamed.push([known.name, rename(known.field, part, place, unknown)])
    else unknown.push({ path: place, message: unknownField(written, [...fields.keys()]) })
  }
  return Object.fromEntries(renamed)
}

// Without wrappers such as optional, nullable, default and transform.
export function bareSchema(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodPipe) return bareSchema(schema.def.in)
  const isWrapped =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  return isWrapped ? bareSchema(schema.def.innerType) : schema
}

function faultOf(schema: z.ZodType, value: unknown): Fault | undefined {
  try {
    validated(schema, value)
    return undefined
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return outwardFault(error)
  }
}

function unknownNames(unknown: readonly UnknownName[], others: Fault | undefined): Fault {
  const told = typeof others?.error === 'object' ? others.error : undefined
  // A Map, so that a field called `__proto__` is an ordinary field.
  const fieldErrors = new Map(Object.entries(told?.fieldErrors ?? {}))
  for (const { path, message } of unknown) {
    const [field, ...rest] = path.map(String)
    const place = rest.length > 0 ? `${rest.join('.')}: ` : ''
    const name = field ?? ''
    fieldErrors.set(name, [...(fieldErrors.get(name) ?? []), `${place}${message}`])
  }
  return new Fault('invalid_request', {
    formErrors: told?.formErrors ?? [],
    fieldErrors: Object.fromEntries(fieldErrors),
  })
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
