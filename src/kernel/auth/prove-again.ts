// A signed-in person proves again who they are, before something that a stolen session must not
// reach. With a second factor, a code of it; without one, the password. Tries are counted apart
// from those of sign-ins, so that neither uses up the other's.
import type { Context } from '../db/context.ts'
import type { Session } from './person.ts'
import { verifyPassword } from './person-password.ts'
import { findPasswordHash } from './person-store.ts'
import { recordOwnAct } from './record-own-act.ts'
import type { Secrets } from './secrets.ts'
import { deleteOwnSession, updateSessionPassword, updateSessionProven } from './session-store.ts'
import { tooManyTriesMessage, usedCodeMessage } from './sign-in.ts'
import { countSessionTry, forgetSessionTries } from './sign-in-limits.ts'
import { spendBackupCode, spendCode } from './spend-code.ts'

// Undefined if it is right; otherwise what to tell the person.
export async function proveAgain(
  context: Context,
  secrets: Secrets,
  session: Session,
  typed: string,
): Promise<string | undefined> {
  const { personId, sessionId } = session
  const refused = await countSessionTry(context, personId)
  if (refused) {
    await endSession(context, personId, sessionId)
    return `${tooManyTriesMessage(refused)} You are signed out.`
  }
  const problem = await (session.secondFactor === 'proven'
    ? checkCode(context, secrets, session, typed)
    : checkPassword(context, session, typed))
  if (problem === undefined) await forgetSessionTries(context, personId)
  return problem
}

// Someone who guesses may hold a stolen session. Its owner can sign in again.
async function endSession(context: Context, personId: string, sessionId: string): Promise<void> {
  await context.database.transaction(async (tx) => {
    if (!(await deleteOwnSession(tx, personId, sessionId))) return
    await recordOwnAct(tx, context, personId, { action: 'person.end_guessing_session' })
  })
}

async function checkCode(
  context: Context,
  secrets: Secrets,
  { personId, sessionId }: Session,
  typed: string,
): Promise<string | undefined> {
  const code = typed.replace(/\s/g, '').toLowerCase()
  const spend = totpPattern.test(code) ? spendCode : spendBackupCode
  const outcome = await spend(context, secrets, personId, code)
  if (outcome === 'used') return usedCodeMessage
  if (outcome === 'wrong') return 'This code is wrong. Enter the code that the app shows now.'
  await updateSessionProven(context.database.sql, sessionId, context.clock.now())
  return undefined
}

const totpPattern = /^\d{6}$/

async function checkPassword(
  { database: { sql }, clock }: Context,
  { personId, sessionId }: Session,
  typed: string,
): Promise<string | undefined> {
  const hash = await findPasswordHash(sql, personId)
  if (!hash || !(await verifyPassword(hash, typed))) return 'This password is wrong.'
  await updateSessionPassword(sql, sessionId, clock.now())
  return undefined
}
