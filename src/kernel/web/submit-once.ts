// A form acts once, even after a double click, a reload or a lost connection. Its token is claimed
// before the work and released if the work is refused, so that the person can correct the form and
// submit it again. If the process dies in between, or the provider did not confirm, the token stays
// claimed: the outcome is unknown, and the person is asked to check before they start a new form.
import { setTimeout as wait } from 'node:timers/promises'
import { addMilliseconds, addSeconds, type Clock } from '../basics/clock.ts'
import { Fault } from '../basics/fault.ts'
import type { Context } from '../db/context.ts'
import { defineSchedule } from '../jobs/schedule.ts'
import {
  deleteSubmission,
  deleteSubmissionsBefore,
  findSubmission,
  insertSubmission,
  type SubmissionKey,
  updateSubmissionDone,
} from './form-submission-store.ts'

export type Done = {
  // Where the person goes next.
  readonly location: string
  // What was done, shown there once.
  readonly message: string | null
}

export async function submitOnce(
  { database: { sql }, clock }: Context,
  key: SubmissionKey,
  work: () => Promise<Done>,
): Promise<Done> {
  while (!(await insertSubmission(sql, key, clock.now()))) {
    const earlier = await earlierOutcome(sql, key, clock)
    if (earlier) return earlier
  }
  try {
    const done = await work()
    await updateSubmissionDone(sql, key, done)
    return done
  } catch (error) {
    if (error instanceof Fault && !isUnknownOutcome(error)) await deleteSubmission(sql, key)
    throw error
  }
}

const unknownMessage =
  'This form was submitted before, and the outcome is not known yet. Check whether it was done ' +
  'before you start again with a new form.'

// The form must not be offered again: what it asked for may have been done.
export function isUnknownOutcome({ kind, error }: Fault): boolean {
  return kind === 'provider_failed' || error === unknownMessage
}

// The first submit may still be running: most end within a moment. One from long ago is not waited
// for.
const checks = 40
const checkEveryMs = 100
const waitedForMs = checks * checkEveryMs

// Undefined if the earlier submit was refused, so that this one may act.
async function earlierOutcome(
  sql: Context['database']['sql'],
  key: SubmissionKey,
  clock: Clock,
): Promise<Done | undefined> {
  for (let check = 0; check < checks; check += 1) {
    const found = await findSubmission(sql, key)
    if (found?.location) return { location: found.location, message: found.message }
    if (!found) return undefined
    if (addMilliseconds(found.createdAt, waitedForMs) <= clock.now()) break
    await wait(checkEveryMs)
  }
  throw new Fault('conflict', unknownMessage)
}

const keptSeconds = 7 * 24 * 60 * 60

export const sweepFormsSchedule = defineSchedule({
  name: 'sweep-forms',
  everySeconds: 60 * 60,
  run: async ({ clock, database }: Context) =>
    deleteSubmissionsBefore(database.sql, addSeconds(clock.now(), -keptSeconds)),
})
