// Removes the second factor of a person who has lost it. No one sees the new one: the person signs
// in with the password and sets it up, and until then a role that can approve gives no rights. They
// can't approve for a day, in which the owners, who get a mail, can react.
import { z } from 'zod'
import { type Actor, inLive } from '../auth/actor.ts'
import { recordAct } from '../auth/audit-log.ts'
import type { Member } from '../auth/membership-store.ts'
import { deletePasskeysOfPerson } from '../auth/passkey-store.ts'
import { updateSecondFactorUse } from '../auth/person-store.ts'
import { deleteSessionsOfPerson } from '../auth/session-store.ts'
import { deleteTwoFactor } from '../auth/two-factor-store.ts'
import type { Tx } from '../db/database.ts'
import { ownerRoles } from '../operations/permission.ts'
import { uuid } from '../operations/schemas.ts'
import type { ServiceContext } from '../operations/service-context.ts'
import {
  lockMember,
  needsConfirmation,
  type RequestConfirmation,
  requireOnlyHere,
  requireOtherPerson,
  withoutConfirmation,
} from './confirmation.ts'
import { defineOperation } from './define-operation.ts'
import { mailNews } from './people-news.ts'

// With an approval, the reset waits for an owner.
export type ResetSecondFactor = Member & { readonly approvalId: string | null }

export function resetSecondFactorOperation(requestConfirmation: RequestConfirmation) {
  return defineOperation({
    name: 'reset-second-factor',
    summary:
      'Remove the second factor of a member, who sets up a new one; another owner confirms it',
    kind: 'write',
    input: z.strictObject({ personId: uuid(), withoutConfirmation }),
    scopes: [],
    roles: ownerRoles,
    async run(context, caller, { personId, withoutConfirmation: isWaived }) {
      const actor = inLive(caller)
      requireOtherPerson(actor, personId)
      return context.database.transaction(async (tx): Promise<ResetSecondFactor> => {
        const member = await lockMember(tx, actor.businessId, personId)
        await requireOnlyHere(tx, actor, member)
        if (!(await needsConfirmation(tx, actor, personId, isWaived))) {
          await removeSecondFactor(tx, context, actor, member)
          return { ...member, hasSecondFactor: false, approvalId: null }
        }
        const approvalId = await requestConfirmation(tx, context, actor, {
          operation: 'second_factor',
          objectId: personId,
          request: secondFactorRequest(member),
        })
        await mailNews(tx, context, actor, member, {
          subject: `Please confirm: reset the second factor of ${member.email}`,
          sentence: (person, business) =>
            `The second factor of ${person}, ${member.role} of ${business}, needs a reset.`,
          approvalId,
        })
        return { ...member, approvalId }
      })
    },
  })
}

// What an owner confirms.
export function secondFactorRequest({ personId, email }: Member) {
  return { personId, email }
}

// The caller has locked the member and checked the permission of the actor.
export async function removeSecondFactor(
  tx: Tx,
  context: ServiceContext,
  actor: Actor,
  member: Member,
): Promise<void> {
  const { personId, email, role } = member
  const now = context.clock.now()
  await deleteTwoFactor(tx, personId)
  await deletePasskeysOfPerson(tx, personId)
  await updateSecondFactorUse(tx, personId, {
    isEnabled: false,
    resetAt: now,
    updatedAt: now,
  })
  const endedSessions = await deleteSessionsOfPerson(tx, personId)
  await recordAct(tx, context, actor, {
    action: 'person.reset_second_factor',
    objectKind: 'person',
    objectId: personId,
    detail: { endedSessions },
  })
  await mailNews(tx, context, actor, member, {
    subject: `The second factor of ${email} was reset`,
    sentence: (person, business) =>
      `The second factor of ${person}, ${role} of ${business}, was reset. A new one is set up\n` +
      'at the next sign-in.',
    tellsPerson: true,
  })
}
