// Checks input against its schema and reports all problems at once, by field.
import { z } from 'zod'
import { Fault } from '../basics/fault.ts'
import { unknownField } from './unknown-field.ts'

// The parsed input, or a fault that lists all problems.
export function validated<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const accepted: AcceptedFields = new Map()
  const result = schema.safeParse(value, {
    error(issue) {
      if (issue.code === 'unrecognized_keys') {
        accepted.set(pathText(issue.path ?? []), fieldsOf(issue.inst))
      }
      return readableMessage(issue)
    },
  })
  if (!result.success) throw validationFault(result.error, accepted)
  return result.data
}

// The known fields of each object in which an unknown field was found.
type AcceptedFields = Map<string, readonly string[]>

function fieldsOf(schema: unknown): readonly string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

// A body can contain thousands of unknown fields, and each hint takes a line and time.
const hintsMax = 10

// All problems by field. The message of a nested problem starts with its path, because the field
// alone does not say which line of a document is wrong.
function validationFault(error: z.ZodError, accepted: AcceptedFields): Fault {
  const formErrors: string[] = []
  let hints = 0
  const fieldErrors = new Map<string, string[]>()
  const add = (field: string, message: string) =>
    fieldErrors.set(field, [...(fieldErrors.get(field) ?? []), message])

  for (const issue of error.issues) {
    const [field, ...rest] = issue.path
    if (issue.code === 'unrecognized_keys') {
      const known = accepted.get(pathText(issue.path)) ?? []
      for (const key of issue.keys) {
        hints += 1
        const message = hints > hintsMax ? 'Unknown field.' : unknownField(key, known)
        if (field === undefined) add(key, message)
        else add(String(field), `${pathText([...rest, key])}: ${message}`)
      }
    } else if (field === undefined) {
      formErrors.push(issue.message)
    } else {
      add(String(field), rest.length > 0 ? `${pathText(rest)}: ${issue.message}` : issue.message)
    }
  }
  // A Map, so that a field called `__proto__` is an ordinary field.
  return new Fault('invalid_request', { formErrors, fieldErrors: Object.fromEntries(fieldErrors) })
}

function pathText(path: readonly PropertyKey[]): string {
  return path.map(String).join('.')
}

// The message for a person if the schema has none, without names of types.
function readableMessage(issue: { code?: string; input?: unknown; expected?: unknown }) {
  if (issue.code !== 'invalid_type') return undefined
  if (issue.input === undefined) return 'Required.'
  return `Must be ${typeNames[String(issue.expected)] ?? `a ${String(issue.expected)}`}.`
}

const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
}
