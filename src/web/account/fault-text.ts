import type { Fault } from '../../kernel/basics/fault.ts'

// All that a refusal says, for a page that shows it in one place.
export function faultText({ error }: Fault): string {
  if (typeof error === 'string') return error
  return [...error.formErrors, ...Object.values(error.fieldErrors).flat()].join(' ')
}
