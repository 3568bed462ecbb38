// Takes the password of a member away. An owner has a link mailed to them, with which they choose a
// new one; the operator sees a random one once and passes it on, for servers without mail. Neither
// is enough to approve anything: such roles also need the second factor. Passkeys go too: someone
// who had taken the account over may have added one.
import { z } from 'zod'
import { inLive } from '../auth/actor.ts'
import { recordAct } from '../auth/audit-log.ts'
import { makeLinkToken } from '../auth/link-token.ts'
import { mailPerson } from '../auth/mail-person.ts'
import type { Member } from '../auth/membership-store.ts'
import { deletePasskeysOfPerson } from '../auth/passkey-store.ts'
import { deleteLinksOfPerson, insertOrReplaceLink } from '../auth/person-link-store.ts'
import { hashPassword, makePassword } from '../auth/person-password.ts'
import { updatePassword } from '../auth/person-store.ts'
import { deleteSessionsOfPerson } from '../auth/session-store.ts'
import { countCausedMail } from '../auth/sign-in-limits.ts'
import { addSeconds } from '../basics/clock.ts'
import type { Tx } from '../db/database.ts'
import { ownerRoles } from '../operations/permission.ts'
import { uuid } from '../operations/schemas.ts'
import type { ServiceContext } from '../operations/service-context.ts'
import { lockMember, requireOnlyHere, requireOtherPerson } from './confirmation.ts'
import { defineOperation } from './define-operation.ts'
import { mailNews } from './people-news.ts'

export type ResetPassword = Member & {
  // For the operator; null if a link was written instead.
  readonly password: string | null
  // False if this server sends no mails: the operator passes the link on.
  readonly isMailed: boolean
}

const linkHours = 24

export const resetPassword = defineOperation({
  name: 'reset-password',
  summary: 'Mail a member a link to a new password; the old one and their sessions end',
  kind: 'write',
  input: z.strictObject({ personId: uuid() }),
  scopes: [],
  roles: ownerRoles,
  async run(context, caller, { personId }) {
    const actor = inLive(caller)
    requireOtherPerson(actor, personId)
    if (actor.kind === 'person') await countCausedMail(context, actor)
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
      if (actor.kind === 'system') return { ...member, password, isMailed: false }
      await mailLink(tx, context, member)
      return { ...member, password: null, isMailed: context.mailer !== undefined }
    })
  },
})

async function mailLink(
  tx: Tx,
  context: ServiceContext,
  { personId, email }: Member,
): Promise<void> {
  const { clock, ids, publicUrl } = context
  const token = makeLinkToken(ids)
  const createdAt = clock.now()
  const expiresAt = addSeconds(createdAt, linkHours * 60 * 60)
  const link = { kind: 'password_reset', newEmail: null, tokenHash: token.hash } as const
  await insertOrReplaceLink(tx, { personId, ...link, createdAt, expiresAt })
  await mailPerson(tx, context, email, {
    subject: 'Choose a new password',
    isSecret: true,
    lines: [
      `An owner of your business reset your password. Open this link within ${linkHours} hours to`,
      'choose a new one:',
      '',
      `  ${publicUrl}/reset-password/${token.text}`,
    ],
  })
}
