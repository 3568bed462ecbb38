// A fault as text for a person: the field with its problem, and lines of a list counted from 1. The
// error body for programs counts from 0, as in `0.quantity`.
import { Fault } from '../../kernel/basics/fault.ts'

export function faultText({ error }: Fault): string {
  if (typeof error === 'string') return error
  const fields = Object.entries(error.fieldErrors).flatMap(([field, messages]) =>
    messages.map((message) => fieldText(field, message)),
  )
  return [...error.formErrors, ...fields].join('\n')
}

// Faults of an operation that a command called, with the names of its options instead of the
// fields.
export async function namingOptions<Result>(
  options: Readonly<Record<string, string>>,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Fault) || typeof error.error === 'string') throw error
    const { formErrors, fieldErrors } = error.error
    const named = Object.entries(fieldErrors).map(([field, told]) => [
      options[field] ?? field,
      told,
    ])
    const renamed = { formErrors, fieldErrors: Object.fromEntries(named) }
    throw new Fault(error.kind, renamed, { cause: error })
  }
}

function fieldText(field: string, message: string): string {
  const [, place, within, said] = /^(\d+)(?:\.([\w.]+))?: (.+)$/s.exec(message) ?? []
  if (place === undefined || said === undefined) return `${field}: ${message}`
  const part = `${field.replace(/s$/, '')} ${Number.parseInt(place, 10) + 1}`
  return `${within === undefined ? part : `${part}, ${within}`}: ${said}`
}
