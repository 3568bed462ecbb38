// Invites someone by e-mail. The link in the mail lets them choose a name and a password, or join
// with the account that they have (`accept-invitation.ts`). The inviter does not see the link,
// since it opens the account of someone else, unless this server sends no mails.
import { z } from 'zod'
import { inLive, type Role, roles } from '../auth/actor.ts'
import { recordAct } from '../auth/audit-log.ts'
import { findBusiness } from '../auth/business-store.ts'
import { insertOrReplaceInvitation } from '../auth/invitation-store.ts'
import { makeLinkToken } from '../auth/link-token.ts'
import { grantsApproval } from '../auth/membership.ts'
import { findPerson } from '../auth/person-store.ts'
import { countCausedMail } from '../auth/sign-in-limits.ts'
import { addSeconds } from '../basics/clock.ts'
import { invalidField } from '../basics/fault.ts'
import { parseMailAddress } from '../mail/mail.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { adminRoles, requirePerson } from '../operations/permission.ts'
import { oneOf } from '../operations/schemas.ts'
import { signInAddress } from '../operations/sign-in-address.ts'
import { requireNoMember } from './add-person.ts'
import { defineOperation } from './define-operation.ts'

const linkDays = 7

export type Invited = {
  readonly email: string
  readonly role: Role
  // To pass on, if no mail is sent.
  readonly link: string | null
}

export const invitePerson = defineOperation({
  name: 'invite-person',
  summary: 'Invite a person to a business by e-mail; only owners invite to roles that can approve',
  kind: 'write',
  input: z.strictObject({ email: signInAddress, role: oneOf(roles) }),
  scopes: [],
  roles: adminRoles,
  peopleOnly: true,
  async run(context, caller, { email, role }): Promise<Invited> {
    const actor = inLive(requirePerson(caller))
    const { businessId, personId } = actor
    const { clock, ids, database, publicUrl, mailer } = context
    const to = parseMailAddress(email)
    if (!to) throw invalidField('email', 'No mail can be sent to this address.')
    if (grantsApproval(role, null) && actor.role !== 'owner') {
      throw invalidField('role', 'Only an owner can invite an owner, admin or approver.')
    }
    await requireNoMember(database.sql, businessId, email)
    await countCausedMail(context, actor)
    const token = makeLinkToken(ids)
    const id = ids.uuid()
    const link = `${publicUrl}/invitations/${businessId}/${token.text}`
    await database.transaction(async (tx) => {
      const createdAt = clock.now()
      const expiresAt = addSeconds(createdAt, linkDays * 24 * 60 * 60)
      const invitation = { id, email, role, invitedBy: personId, tokenHash: token.hash }
      await insertOrReplaceInvitation(tx, businessId, { ...invitation, expiresAt, createdAt })
      await recordAct(tx, context, actor, {
        action: 'invitation.create',
        objectKind: 'invitation',
        objectId: id,
        detail: { email, role },
      })
      const business = (await findBusiness(tx, businessId))?.name ?? ''
      const inviter = (await findPerson(tx, personId))?.name ?? ''
      await queueMail(tx, context, {
        tenant: { businessId, environment: 'live' },
        to: [to],
        isSecret: true,
        ...letter({ business, inviter, role, link }),
      })
    })
    return { email, role, link: mailer ? null : link }
  },
})

type LetterParts = { business: string; inviter: string; role: Role; link: string }

function letter({ business, inviter, role, link }: LetterParts) {
  return {
    // The name of a business can be longer than a subject.
    subject: 'You are invited to Tillbook',
    text: [
      `${inviter} invites you to work for ${business}, as ${role}.`,
      '',
      `Open this link within ${linkDays} days to accept:`,
      '',
      `  ${link}`,
      '',
      'If you don’t know what this is about, ignore this mail.',
      '',
    ].join('\n'),
  }
}
