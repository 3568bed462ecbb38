// A running job or schedule, as the worker sees it.
import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../db/context.ts'
import { isDatabaseUnavailable } from '../db/database-errors.ts'
import { errorFields, errorText } from './error-text.ts'
import type { Lease } from './lease.ts'

export type Task = {
  readonly lease: Lease
  // Returns the claim, so that another worker can take it at once.
  readonly release: () => Promise<boolean>
  // Resolves when the outcome is recorded or given up. Never rejects.
  readonly done: Promise<void>
}

const recordAttemptsMax = 5
const recordDelayMs = 200

// The work is done, and losing its outcome to a broken connection would repeat it. If the database
// stays away, the lease expires and another worker repeats the job.
export async function recordOutcome(
  log: Context['log'],
  fields: Record<string, unknown>,
  write: () => Promise<boolean>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const held = await write()
      if (!held) log.warn(fields, 'the claim was lost; the outcome was not recorded')
      return
    } catch (error) {
      if (attempt === recordAttemptsMax || !isDatabaseUnavailable(error)) {
        log.error({ ...fields, ...errorFields(error) }, 'an outcome could not be recorded')
        return
      }
      log.warn({ ...fields, error: errorText(error) }, 'recording an outcome again')
      await pause(recordDelayMs * attempt)
    }
  }
}
