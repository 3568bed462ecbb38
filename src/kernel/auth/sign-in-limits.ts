// How often someone may try to sign in. The counts are in the database, so that every process
// shares them, in fixed windows:
//   an e-mail address from one network address: refused until the window ends;
//   a network address, for all e-mail addresses, so that no one tries a password on everybody;
//   an e-mail address from everywhere: tries from unknown devices only take longer and longer. They
//   are never refused, because then a stranger could keep people out of their accounts;
//   codes of the second step, per person: those from unknown devices together, and those of known
//   ones apart from them. Only someone with the right password gets that far;
//   what a signed-in person enters to prove again who they are, per person;
//   mails with a link to a new password, per network address and per e-mail address;
//   mails that signed-in people cause, such as invitations, per person and per business.
import { createHash } from 'node:crypto'
import { addSeconds } from '../basics/clock.ts'
import { Fault } from '../basics/fault.ts'
import type { Context } from '../db/context.ts'
import {
  deleteAttempts,
  deleteAttemptsBefore,
  updateAttempts,
  updateAttemptsReturned,
} from './sign-in-attempt-store.ts'

const windowSeconds = 15 * 60
// A person mistypes a few times, but not ten times in a quarter of an hour.
const triesPerPairMax = 10
// An office with one address has several people.
const triesPerAddressMax = 40
// Of a million codes three are right at a time: a window of guesses succeeds once in 30,000.
const codesPerPersonMax = 10

const triesWithoutDelay = 5
// Shorter than the patience of proxies, and of people who are kept waiting.
const delaySecondsMax = 10

export type SignInTry = {
  readonly email: string
  readonly address: string
  readonly isKnownDevice: boolean
}

export type Refused = { readonly retryAfterSeconds: number }

// How long to wait before the password is looked at, unless the try is refused.
export async function countSignInTry(
  context: Context,
  attempt: SignInTry,
): Promise<Refused | { readonly delaySeconds: number }> {
  const refused =
    (await count(context, addressHash(attempt), triesPerAddressMax)).refused ??
    (await count(context, pairHash(attempt), triesPerPairMax)).refused
  if (refused) return refused
  if (attempt.isKnownDevice) return { delaySeconds: 0 }
  const { tries } = await count(context, emailHash(attempt), Number.POSITIVE_INFINITY)
  return { delaySeconds: delaySeconds(tries) }
}

// After the right password.
export async function forgetSignInTry(context: Context, attempt: SignInTry): Promise<void> {
  const { sql } = context.database
  await deleteAttempts(sql, pairHash(attempt))
  await deleteAttempts(sql, emailHash(attempt))
  await updateAttemptsReturned(sql, addressHash(attempt))
}

export type CodeTry = { readonly personId: string; readonly isKnownDevice: boolean }

export async function countCodeTry(
  context: Context,
  attempt: CodeTry,
): Promise<Refused | undefined> {
  return (await count(context, codeHash(attempt), codesPerPersonMax)).refused
}

// Guesses of the one-time code with which a new server is set up.
export async function countSetUpTry(
  context: Context,
  address: string,
): Promise<Refused | undefined> {
  return (await count(context, hash(`set-up:${address}`), triesPerPairMax)).refused
}

// After the right code.
export async function forgetCodeTries(context: Context, attempt: CodeTry): Promise<void> {
  await deleteAttempts(context.database.sql, codeHash(attempt))
}

export async function countSessionTry(
  context: Context,
  personId: string,
): Promise<Refused | undefined> {
  return (await count(context, sessionHash(personId), codesPerPersonMax)).refused
}

export async function forgetSessionTries(context: Context, personId: string): Promise<void> {
  await deleteAttempts(context.database.sql, sessionHash(personId))
}

// A mail may be late or lost once or twice. More would be a nuisance to the owner of the mailbox.
const resetMailsMax = 3

// `enough`: no further mail is sent, and the caller must not notice.
export async function countResetRequest(
  context: Context,
  { email, address }: Omit<SignInTry, 'isKnownDevice'>,
): Promise<Refused | 'enough' | undefined> {
  const { refused } = await count(context, hash(`reset address:${address}`), triesPerAddressMax)
  if (refused) return refused
  const mails = await count(context, hash(`reset email:${normalised(email)}`), resetMailsMax)
  return mails.refused ? 'enough' : undefined
}

// More than a team needs, and too few to be a nuisance to strangers.
const causedMailsPerPersonMax = 20
const causedMailsPerBusinessMax = 60
const hourSeconds = 60 * 60

// Before a signed-in person has a mail sent to an address of their choice.
export async function countCausedMail(
  context: Context,
  { personId, businessId }: { readonly personId: string; readonly businessId: string },
): Promise<void> {
  const of = (who: string, max: number) =>
    count(context, hash(`caused mail:${who}`), max, hourSeconds)
  const refused =
    (await of(personId, causedMailsPerPersonMax)).refused ??
    (await of(businessId, causedMailsPerBusinessMax)).refused
  if (!refused) return
  const minutes = Math.ceil(refused.retryAfterSeconds / 60)
  const message = `Too many mails were sent in the last hour. Try again in ${minutes} minutes.`
  throw new Fault('rate_limited', message, refused)
}

// 0 for the first five, then 1, 2, 4, 8 and 10 seconds.
function delaySeconds(tries: number): number {
  if (tries <= triesWithoutDelay) return 0
  return Math.min(2 ** (tries - triesWithoutDelay - 1), delaySecondsMax)
}

async function count(
  context: Context,
  subjectHash: Buffer,
  max: number,
  seconds = windowSeconds,
): Promise<{ tries: number; refused?: Refused }> {
  const now = context.clock.now()
  const windowStart = addSeconds(now, -seconds)
  const { sql } = context.database
  const window = await updateAttempts(sql, subjectHash, now, windowStart)
  // Opening a window deletes those that have ended, so that the table stays small.
  if (window?.count === 1) await deleteAttemptsBefore(sql, addSeconds(now, -hourSeconds))
  const tries = window?.count ?? 0
  if (!window || tries <= max) return { tries }
  const end = addSeconds(window.windowStartedAt, seconds)
  const retryAfterSeconds = Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000))
  return { tries, refused: { retryAfterSeconds } }
}

function addressHash({ address }: SignInTry): Buffer {
  return hash(`address:${address}`)
}

function emailHash({ email }: SignInTry): Buffer {
  return hash(`email:${normalised(email)}`)
}

function pairHash({ email, address }: SignInTry): Buffer {
  return hash(`pair:${address} ${normalised(email)}`)
}

function codeHash({ personId, isKnownDevice }: CodeTry): Buffer {
  return hash(`code:${personId} ${isKnownDevice ? 'known' : 'unknown'}`)
}

function sessionHash(personId: string): Buffer {
  return hash(`session:${personId}`)
}

function normalised(email: string): string {
  return email.trim().toLowerCase()
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
