// An owner confirms a higher role, or the reset of a second factor, that someone else requested.
// kernel/access executes both; this checks that the request is still valid.
import { roleRequest, writeRole } from '../../kernel/access/change-role.ts'
import { requireOnlyHere } from '../../kernel/access/confirmation.ts'
import { removeSecondFactor, secondFactorRequest } from '../../kernel/access/reset-second-factor.ts'
import { type PersonActor, type Role, roles } from '../../kernel/auth/actor.ts'
import { lockBusiness } from '../../kernel/auth/business-store.ts'
import { findMember, type Member } from '../../kernel/auth/membership-store.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { ServiceContext } from '../../kernel/operations/service-context.ts'
import { type Approval, requestHash } from './approval.ts'
import { decideApproval, requireDecidable } from './decide-approval.ts'
import { type Approving, voidApproval } from './void-approval.ts'

const changed = 'The members of the business have changed since this request. Request it again.'

export async function approvePeople(
  tx: Tx,
  context: ServiceContext,
  approver: PersonActor,
  approval: Approval,
): Promise<Approving> {
  const { businessId } = approver
  await requireDecidable(tx, context, approver, approval.id)
  await lockBusiness(tx, businessId)
  const member = await findMember(tx, businessId, approval.objectId)
  if (!member || !(await isStillWanted(tx, approver, approval, member))) {
    return voidApproval(tx, context, approver, approval, changed)
  }
  await decideApproval(tx, context, approver, approval.id, { state: 'approved' })
  if (approval.operation === 'role') {
    await writeRole(tx, context, approver, member, roleOf(approval))
  } else {
    if (approval.requestedByKind === 'person') await requireOnlyHere(tx, approver, member)
    await removeSecondFactor(tx, context, approver, member)
  }
  return { kind: 'executed' }
}

// The person is unchanged, and the requester is still an owner.
async function isStillWanted(
  tx: Tx,
  approver: PersonActor,
  approval: Approval,
  member: Member,
): Promise<boolean> {
  const { operation, requesterPersonId } = approval
  const now =
    operation === 'role' ? roleRequest(member, roleOf(approval)) : secondFactorRequest(member)
  if (!requestHash(approver, operation, now).equals(approval.requestHash)) return false
  if (requesterPersonId === null) return true
  const requester = await findMember(tx, approver.businessId, requesterPersonId)
  return requester?.role === 'owner'
}

function roleOf({ request }: Approval): Role {
  const role = roles.find((known) => known === request.role)
  return assertDefined(role, 'an approval of no role')
}
