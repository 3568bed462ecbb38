// The message of a refusal.
import { Fault } from '../../src/kernel/basics/fault.ts'

export async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('it was not refused'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Fault)) throw error
  if (typeof error.error === 'string') return error.error
  return [...error.error.formErrors, ...Object.values(error.error.fieldErrors).flat()].join(' ')
}
