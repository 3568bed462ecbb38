// Gives a member a new random password, which the caller sees once and passes on. It is not enough
// to approve anything: such roles also need the second factor. Passkeys go too: someone who had
// taken the account over may have added one.
import { z } from 'zod'
import { inLive } from '../auth/actor.ts'
import { recordAct } from '../auth/audit-log.ts'
import type { Member } from '../auth/membership-store.ts'
import { deletePasskeysOfPerson } from '../auth/passkey-store.ts'
import { deleteLinksOfPerson } from '../auth/person-link-store.ts'
import { hashPassword, makePassword } from '../auth/person-password.ts'
import { updatePassword } from '../auth/person-store.ts'
import { deleteSessionsOfPerson } from '../auth/session-store.ts'
import { ownerRoles } from '../operations/permission.ts'
import { uuid } from '../operations/schemas.ts'
import { lockMember, requireOnlyHere, requireOtherPerson } from './confirmation.ts'
import { defineOperation } from './define-operation.ts'
import { mailNews } from './people-news.ts'

export type ResetPassword = Member & { readonly password: string }

export const resetPassword = defineOperation({
  name: 'reset-password',
  summary: 'Give a member a new password, which is shown once; their sessions end',
  kind: 'write',
  input: z.strictObject({ personId: uuid() }),
  scopes: [],
  roles: ownerRoles,
  async run(context, caller, { personId }) {
    const actor = inLive(caller)
    requireOtherPerson(actor, personId)
    const password = makePassword(context.ids)
    // Before the transaction, because hashing takes a while.
    const hash = await hashPassword(context.ids, password)
    return context.database.transaction(async (tx): Promise<ResetPassword> => {
      const member = await lockMember(tx, actor.businessId, personId)
      await requireOnlyHere(tx, actor, member)
      await updatePassword(tx, personId, hash, context.clock.now())
      await deleteLinksOfPerson(tx, personId)
      await deletePasskeysOfPerson(tx, personId)
      const endedSessions = await deleteSessionsOfPerson(tx, personId)
      await recordAct(tx, context, actor, {
        action: 'person.reset_password',
        objectKind: 'person',
        objectId: personId,
        detail: { endedSessions },
      })
      await mailNews(tx, context, actor, member, {
        subject: `The password of ${member.email} was reset`,
        sentence: (person, business) =>
          `${person}, ${member.role} of ${business}, got a new password. All sessions were ended\n` +
          'and the passkeys removed.',
        tellsPerson: true,
      })
      return { ...member, password }
    })
  },
})
