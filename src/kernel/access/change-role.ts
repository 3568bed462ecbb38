import { z } from 'zod'
import { type Actor, inLive, type Role, roles } from '../auth/actor.ts'
import { recordAct } from '../auth/audit-log.ts'
import { grantsApproval } from '../auth/membership.ts'
import { type Member, updateMembershipRole } from '../auth/membership-store.ts'
import type { Tx } from '../db/database.ts'
import { ownerRoles } from '../operations/permission.ts'
import { oneOf, uuid } from '../operations/schemas.ts'
import type { ServiceContext } from '../operations/service-context.ts'
import {
  lockMember,
  needsConfirmation,
  type RequestConfirmation,
  requireOtherOwner,
  withoutConfirmation,
} from './confirmation.ts'
import { defineOperation } from './define-operation.ts'
import { holdApprovals } from './hold-approvals.ts'
import { mailNews } from './people-news.ts'

// The role that holds now; with an approval, another one waits for an owner.
export type ChangedRole = Member & { readonly approvalId: string | null }

export function changeRoleOperation(requestConfirmation: RequestConfirmation) {
  return defineOperation({
    name: 'change-role',
    summary: 'Change the role of a member; another owner confirms roles that can approve',
    kind: 'write',
    input: z.strictObject({ personId: uuid(), role: oneOf(roles), withoutConfirmation }),
    scopes: [],
    roles: ownerRoles,
    async run(context, caller, { personId, role, withoutConfirmation: isWaived }) {
      const actor = inLive(caller)
      return context.database.transaction(async (tx): Promise<ChangedRole> => {
        const member = await lockMember(tx, actor.businessId, personId)
        if (member.role === role) {
          context.call.nothingChanged()
          return { ...member, approvalId: null }
        }
        const isGrant = grantsApproval(role, member.role)
        if (isGrant && (await needsConfirmation(tx, actor, personId, isWaived))) {
          const approvalId = await requestRole(tx, context, actor, member, {
            role,
            requestConfirmation,
          })
          return { ...member, approvalId }
        }
        await writeRole(tx, context, actor, member, role)
        if (isGrant) await holdApprovals(tx, context, actor, personId)
        return { ...member, role, approvalId: null }
      })
    },
  })
}

export async function requestRole(
  tx: Tx,
  context: ServiceContext,
  actor: Actor,
  member: Member,
  wanted: { role: Role; requestConfirmation: RequestConfirmation },
): Promise<string> {
  const { role, requestConfirmation } = wanted
  const approvalId = await requestConfirmation(tx, context, actor, {
    operation: 'role',
    objectId: member.personId,
    request: roleRequest(member, role),
  })
  await mailNews(tx, context, actor, member, {
    subject: `Please confirm: ${member.email} as ${role}`,
    sentence: (person, business) => `${person} is to become ${role} of ${business}.`,
    approvalId,
  })
  return approvalId
}

// What an owner confirms: this role instead of the one that the person has.
export function roleRequest({ personId, email, role: before }: Member, role: Role) {
  return { personId, email, role, before }
}

// The caller has locked the member and made sure that the actor may do this.
export async function writeRole(
  tx: Tx,
  context: ServiceContext,
  actor: Actor,
  member: Member,
  role: Role,
): Promise<void> {
  const { personId, email, role: before } = member
  if (before === 'owner') await requireOtherOwner(tx, actor.businessId, personId)
  await updateMembershipRole(tx, actor.businessId, personId, role)
  await recordAct(tx, context, actor, {
    action: 'membership.change_role',
    objectKind: 'person',
    objectId: personId,
    detail: { role, before },
  })
  await mailNews(tx, context, actor, member, {
    subject: `${email} is now ${role}`,
    sentence: (person, business) => `${person} is now ${role} of ${business}, and was ${before}.`,
  })
}
