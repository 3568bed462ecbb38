// How often somebody may try to sign in: a fixed window per e-mail address (many machines guess
// one person's password) and per network address (one machine guesses many people's). The counts
// are in the database, so that every process shares them. The code of the second step is limited
// by better-auth itself: five tries a sign-in, ten in a row a person, then a pause.
import { createHash } from 'node:crypto'
import { addSeconds } from '../basics/clock.ts'
import type { Context } from '../db/context.ts'
import {
  deleteAttempts,
  deleteAttemptsBefore,
  updateAttempts,
  updateAttemptsReturned,
} from './sign-in-attempt-store.ts'

const signInWindowSeconds = 15 * 60
// A person mistypes a few times; nobody does it ten times in a quarter of an hour.
const triesPerEmailMax = 10
// An office behind one address has more people than one.
const triesPerAddressMax = 40

export type SignInTry = { email: string; address: string }

// Answers how long to wait, or undefined when this try may go ahead.
export async function countSignInTry(
  context: Context,
  attempt: SignInTry,
): Promise<{ retryAfterSeconds: number } | undefined> {
  return (
    (await count(context, addressHash(attempt), triesPerAddressMax)) ??
    (await count(context, emailHash(attempt), triesPerEmailMax))
  )
}

export async function forgetSignInTry(context: Context, attempt: SignInTry): Promise<void> {
  await deleteAttempts(context.database.sql, emailHash(attempt))
  await updateAttemptsReturned(context.database.sql, addressHash(attempt))
}

async function count(context: Context, subjectHash: Buffer, max: number) {
  const now = context.clock.now()
  const windowStart = addSeconds(now, -signInWindowSeconds)
  const { sql } = context.database
  const window = await updateAttempts(sql, subjectHash, now, windowStart)
  // Whoever opens a window sweeps those that have ended, so that the table stays small.
  if (window?.count === 1) await deleteAttemptsBefore(sql, windowStart)
  if (!window || window.count <= max) return undefined
  const end = addSeconds(window.windowStartedAt, signInWindowSeconds)
  return { retryAfterSeconds: Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000)) }
}

function addressHash(attempt: SignInTry): Buffer {
  return createHash('sha256').update(`address:${attempt.address}`).digest()
}

function emailHash(attempt: SignInTry): Buffer {
  return createHash('sha256').update(`email:${attempt.email.trim().toLowerCase()}`).digest()
}
