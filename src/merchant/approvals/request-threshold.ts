// An owner wants another amount above which a second person has to agree. That decides who can move
// how much alone, so where somebody else could agree, somebody else has to.
import type { PersonActor } from '../../kernel/auth/actor.ts'
import { permissionDenied } from '../../kernel/basics/fault.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { type ApprovalRequest, approverRoles } from './approval.ts'
import { listOtherMembers } from './approval-store.ts'
import { requestApproval } from './request-approval.ts'
import { setThreshold } from './set-threshold.ts'
import { findOwnThresholdMinor, type Threshold } from './threshold-store.ts'

// The id of the approval that waits, or undefined when the threshold holds at once.
export async function requestThreshold(
  context: Context,
  owner: PersonActor,
  threshold: Threshold,
): Promise<string | undefined> {
  if (owner.role !== 'owner') throw permissionDenied('Only owners set thresholds.')
  return context.database.transaction(async (tx) => {
    const others = await listOtherMembers(tx, owner.businessId, owner.personId, approverRoles)
    if (others.length > 0) {
      return requestApproval(tx, context, owner, {
        operation: 'threshold',
        objectId: owner.businessId,
        request: await thresholdRequest(tx, owner.businessId, threshold),
      })
    }
    await setThreshold(tx, context, owner, threshold)
    return undefined
  })
}

// What an approver agrees to: this amount instead of the one that holds.
export async function thresholdRequest(
  tx: Tx,
  businessId: string,
  { operation, currency, amountMinor }: Threshold,
): Promise<ApprovalRequest> {
  const beforeMinor = await findOwnThresholdMinor(tx, businessId, operation, currency)
  return {
    operation,
    currency,
    amountMinor: amountMinor.toString(),
    beforeMinor: beforeMinor?.toString() ?? null,
  }
}
