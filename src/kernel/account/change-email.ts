// Opens the link that was mailed to a new e-mail address. It proves that someone reads that
// mailbox, and the session proves that it is the person who asked for it. All other sessions end.
import { linkTokenHash } from '../auth/link-token.ts'
import { mailPerson } from '../auth/mail-person.ts'
import type { Session } from '../auth/person.ts'
import { deleteLink, deleteLinksOfPerson, findLink } from '../auth/person-link-store.ts'
import { findPerson, findPersonByEmail, updatePersonEmail } from '../auth/person-store.ts'
import { recordOwnAct } from '../auth/record-own-act.ts'
import { deleteOtherSessions } from '../auth/session-store.ts'
import type { Context } from '../db/context.ts'
import type { Tx } from '../db/database.ts'
import { sqlState } from '../db/database-errors.ts'

// Whose it is and the new address, if the link can still be used.
export async function findEmailChange(
  { database: { sql }, clock }: Context,
  token: string,
): Promise<{ personId: string; email: string } | undefined> {
  const link = await findLink(sql, 'email_change', linkTokenHash(token), clock.now())
  return link?.newEmail ? { personId: link.personId, email: link.newEmail } : undefined
}

// Undefined if the link was used, has expired, was replaced, or someone else took the address.
export async function changeEmail(
  context: Context,
  session: Session,
  token: string,
): Promise<string | undefined> {
  try {
    return await context.database.transaction((tx) => change(tx, context, session, token))
  } catch (error) {
    // Someone took the address at the same moment.
    if (sqlState(error) === '23505') return undefined
    throw error
  }
}

async function change(
  tx: Tx,
  context: Context,
  { personId, sessionId }: Session,
  token: string,
): Promise<string | undefined> {
  const now = context.clock.now()
  const link = await deleteLink(tx, 'email_change', linkTokenHash(token), now)
  if (!link?.newEmail || link.personId !== personId) return undefined
  const { newEmail } = link
  const person = await findPerson(tx, personId)
  if (!person || (await findPersonByEmail(tx, newEmail))) return undefined
  await updatePersonEmail(tx, personId, newEmail, now)
  // Mailed to the old address.
  await deleteLinksOfPerson(tx, personId, 'password_reset')
  const endedSessions = await deleteOtherSessions(tx, personId, sessionId)
  await recordOwnAct(tx, context, personId, {
    action: 'person.change_email',
    detail: { email: newEmail, before: person.email, endedSessions },
  })
  await mailPerson(tx, context, person.email, {
    subject: 'Your e-mail address was changed',
    lines: [
      `You sign in with ${newEmail} from now on. This address is no longer used.`,
      '',
      'If this was not you, tell an owner of your business at once.',
    ],
  })
  return newEmail
}
