// Makes a person a member. A role that can approve may need the confirmation of an owner. Until
// then the person is a viewer, who changes nothing.
import type { Actor, Role } from '../auth/actor.ts'
import { addMembership } from '../auth/add-membership.ts'
import { lockBusiness } from '../auth/business-store.ts'
import { grantsApproval } from '../auth/membership.ts'
import type { Member } from '../auth/membership-store.ts'
import type { Tx } from '../db/database.ts'
import type { ServiceContext } from '../operations/service-context.ts'
import { requestRole } from './change-role.ts'
import { needsConfirmation, type RequestConfirmation } from './confirmation.ts'
import { holdApprovals } from './hold-approvals.ts'
import { mailNews } from './people-news.ts'

export async function addMember(
  tx: Tx,
  context: ServiceContext,
  actor: Actor,
  person: Omit<Member, 'role'>,
  wanted: { role: Role; isWaived: boolean; requestConfirmation: RequestConfirmation },
): Promise<{ role: Role; approvalId: string | null }> {
  const { role, isWaived, requestConfirmation } = wanted
  const { businessId } = actor
  const { personId, email } = person
  await lockBusiness(tx, businessId)
  if (grantsApproval(role, null) && (await needsConfirmation(tx, actor, personId, isWaived))) {
    const member: Member = { ...person, role: 'viewer' }
    await addMembership(tx, context, { businessId, personId, role: member.role }, actor)
    const approvalId = await requestRole(tx, context, actor, member, { role, requestConfirmation })
    return { role: member.role, approvalId }
  }
  await addMembership(tx, context, { businessId, personId, role }, actor)
  if (grantsApproval(role, null)) await holdApprovals(tx, context, actor, personId)
  await mailNews(tx, context, actor, person, {
    subject: `${email} is now ${role}`,
    sentence: (added, business) => `${added} was added to ${business} as ${role}.`,
  })
  return { role, approvalId: null }
}
