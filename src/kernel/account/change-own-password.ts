// Changes the password of the caller. The old one is asked for as well: someone at an unlocked
// computer must not take the account over. All other sessions end, and so do the links that were
// mailed: someone else may have asked for them.
import { z } from 'zod'
import { mailPerson } from '../auth/mail-person.ts'
import { deleteLinksOfPerson } from '../auth/person-link-store.ts'
import { assertPasswordAcceptable, hashPassword, verifyPassword } from '../auth/person-password.ts'
import { findPasswordHash, findPerson, updatePassword } from '../auth/person-store.ts'
import { recordOwnAct } from '../auth/record-own-act.ts'
import { deleteOtherSessions, updateSessionPassword } from '../auth/session-store.ts'
import { tooManyTriesMessage } from '../auth/sign-in.ts'
import { countSessionTry, forgetSessionTries } from '../auth/sign-in-limits.ts'
import { Fault, invalidField } from '../basics/fault.ts'
import { requirePerson } from '../operations/permission.ts'
import { uuid } from '../operations/schemas.ts'
import type { ServiceContext } from '../operations/service-context.ts'
import { defineOperation, ownAccount } from './define-operation.ts'

export const changeOwnPassword = defineOperation({
  name: 'change-own-password',
  summary: 'Change your own password; your other sessions end',
  kind: 'write',
  input: z.strictObject({
    currentPassword: z.string(),
    password: z.string(),
    // The session in which this happens.
    sessionId: uuid(),
  }),
  ...ownAccount,
  async run(context, actor, { currentPassword, password, sessionId }) {
    const { personId } = requirePerson(actor)
    assertPasswordAcceptable(password)
    if (password === currentPassword) {
      throw invalidField('password', 'Choose a password that differs from the current one.')
    }
    await requirePassword(context, personId, currentPassword)
    // Before the transaction, because hashing takes a while.
    const hash = await hashPassword(context.ids, password)
    return context.database.transaction(async (tx): Promise<{ endedSessions: number }> => {
      const now = context.clock.now()
      await updatePassword(tx, personId, hash, now)
      await updateSessionPassword(tx, sessionId, now)
      await deleteLinksOfPerson(tx, personId)
      const endedSessions = await deleteOtherSessions(tx, personId, sessionId)
      await recordOwnAct(tx, context, personId, {
        action: 'person.change_password',
        detail: { endedSessions },
      })
      const person = await findPerson(tx, personId)
      if (person) await mailPerson(tx, context, person.email, letter)
      return { endedSessions }
    })
  },
})

async function requirePassword(
  context: ServiceContext,
  personId: string,
  typed: string,
): Promise<void> {
  const refused = await countSessionTry(context, personId)
  if (refused) throw new Fault('rate_limited', tooManyTriesMessage(refused), refused)
  const hash = await findPasswordHash(context.database.sql, personId)
  if (!hash || !(await verifyPassword(hash, typed))) {
    throw invalidField('currentPassword', 'This is not your current password.')
  }
  await forgetSessionTries(context, personId)
}

const letter = {
  subject: 'Your password was changed',
  lines: [
    'The password of your account was changed, and your other sessions were ended.',
    '',
    'If this was not you, tell an owner of your business at once.',
  ],
}
