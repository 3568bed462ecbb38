// Opens the link that was mailed to a new e-mail address. The person asked for it when signed in,
// and the link proves that they read that mailbox, so no sign-in is needed here.
import { linkTokenHash } from '../auth/link-token.ts'
import { mailPerson } from '../auth/mail-person.ts'
import { deleteLink, deleteLinksOfPerson, findLink } from '../auth/person-link-store.ts'
import { findPerson, findPersonByEmail, updatePersonEmail } from '../auth/person-store.ts'
import { recordOwnAct } from '../auth/record-own-act.ts'
import type { Context } from '../db/context.ts'

// The new address, if the link can still be used.
export async function findEmailChange(
  { database: { sql }, clock }: Context,
  token: string,
): Promise<string | undefined> {
  const link = await findLink(sql, 'email_change', linkTokenHash(token), clock.now())
  return link?.newEmail ?? undefined
}

// Undefined if the link was used, has expired, was replaced, or someone else took the address.
export async function changeEmail(context: Context, token: string): Promise<string | undefined> {
  const now = context.clock.now()
  return context.database.transaction(async (tx) => {
    const link = await deleteLink(tx, 'email_change', linkTokenHash(token), now)
    if (!link?.newEmail) return undefined
    const { personId, newEmail } = link
    const person = await findPerson(tx, personId)
    if (!person || (await findPersonByEmail(tx, newEmail))) return undefined
    await updatePersonEmail(tx, personId, newEmail, now)
    // Mailed to the old address.
    await deleteLinksOfPerson(tx, personId, 'password_reset')
    await recordOwnAct(tx, context, personId, {
      action: 'person.change_email',
      detail: { email: newEmail, before: person.email },
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
  })
}
