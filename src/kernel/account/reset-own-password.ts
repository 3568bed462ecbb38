// Opens the link of a password reset. It proves that the person reads their mail, which replaces
// the password and nothing else: signing in still needs the second factor.
import { linkTokenHash } from '../auth/link-token.ts'
import { mailPerson } from '../auth/mail-person.ts'
import { deletePasskeysOfPerson } from '../auth/passkey-store.ts'
import { deleteLink, deleteLinksOfPerson, findLink } from '../auth/person-link-store.ts'
import { assertPasswordAcceptable, hashPassword } from '../auth/person-password.ts'
import { findPerson, updatePassword } from '../auth/person-store.ts'
import { recordOwnAct } from '../auth/record-own-act.ts'
import { deleteSessionsOfPerson } from '../auth/session-store.ts'
import type { Context } from '../db/context.ts'

// The address of the account, if the link can still be used.
export async function findPasswordReset(
  { database: { sql }, clock }: Context,
  token: string,
): Promise<string | undefined> {
  const link = await findLink(sql, 'password_reset', linkTokenHash(token), clock.now())
  return link ? (await findPerson(sql, link.personId))?.email : undefined
}

// False if the link no longer works.
export async function resetOwnPassword(
  context: Context,
  token: string,
  password: string,
): Promise<boolean> {
  if ((await findPasswordReset(context, token)) === undefined) return false
  assertPasswordAcceptable(password)
  // Before the transaction, because hashing takes a while.
  const hash = await hashPassword(context.ids, password)
  return context.database.transaction(async (tx) => {
    const now = context.clock.now()
    const link = await deleteLink(tx, 'password_reset', linkTokenHash(token), now)
    if (!link) return false
    const { personId } = link
    await updatePassword(tx, personId, hash, now)
    const endedSessions = await deleteSessionsOfPerson(tx, personId)
    // A change of the address may have been asked for by the person who is now locked out.
    await deleteLinksOfPerson(tx, personId)
    // So may a passkey.
    await deletePasskeysOfPerson(tx, personId)
    await recordOwnAct(tx, context, personId, {
      action: 'person.reset_own_password',
      detail: { endedSessions },
    })
    const person = await findPerson(tx, personId)
    if (person) await mailPerson(tx, context, person.email, letter)
    return true
  })
}

const letter = {
  subject: 'Your password was changed',
  lines: [
    'The password of your account was changed with a link that we mailed to you. All sessions were',
    'ended and the passkeys removed; you can add new ones in My account.',
    '',
    'If this was not you, tell an owner of your business at once.',
  ],
}
