// Four eyes. This explains to the person why they can't decide; the single statement in the store
// enforces it.
import type { PersonActor } from '../../kernel/auth/actor.ts'
import { approvalHoldSeconds, requireNoApprovalHold } from '../../kernel/auth/approval-hold.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'
import { brokenRule, Fault, notFound, permissionDenied } from '../../kernel/basics/fault.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { requireRole } from '../../kernel/operations/permission.ts'
import { type Approval, decidingRoles } from './approval.ts'
import { findApproval, lockApproval, updateApprovalDecided } from './approval-store.ts'

// Locks the approval, so that it stays open until the caller has decided. Throws if this person
// can't decide it.
export async function requireDecidable(
  tx: Tx,
  context: Pick<Context, 'clock'>,
  approver: PersonActor,
  approvalId: string,
): Promise<void> {
  const approval = await lockApproval(tx, approver, approvalId)
  if (!approval) throw notFound('approval')
  checkDecision(approval, approver, context.clock.now())
}

// Decides in the caller's transaction, which also executes the approved request, so it happens
// exactly once.
export async function decideApproval(
  tx: Tx,
  context: Context,
  approver: PersonActor,
  approvalId: string,
  decision: { state: 'approved' } | { state: 'rejected'; reason: string | null },
): Promise<void> {
  const now = context.clock.now()
  const approval = await findApproval(tx, approver, approvalId)
  if (!approval) throw notFound('approval')
  checkDecision(approval, approver, now)
  if (decision.state === 'approved') await requireNoApprovalHold(tx, approver, now)
  const isDecided = await updateApprovalDecided(tx, approver, {
    id: approvalId,
    roles: decidingRoles(approval.operation),
    heldSince: addSeconds(now, -approvalHoldSeconds),
    state: decision.state,
    decidedBy: approver.personId,
    decidedAt: now,
    executedAt: decision.state === 'approved' ? now : null,
    reason: decision.state === 'rejected' ? decision.reason : null,
  })
  if (!isDecided) throw new Fault('conflict', 'You can no longer decide this approval.')
  await recordAct(tx, context, approver, {
    action: decision.state === 'approved' ? 'approval.approve' : 'approval.reject',
    objectKind: 'approval',
    objectId: approvalId,
    detail: { operation: approval.operation, objectId: approval.objectId },
  })
}

function checkDecision(approval: Approval, approver: PersonActor, now: Date): void {
  if (approval.requesterPersonId === approver.personId) {
    throw permissionDenied(
      "You can't approve your own request, or one made by your key. You can withdraw it.",
    )
  }
  requireRole(approver, decidingRoles(approval.operation))
  if (approval.objectId === approver.personId) {
    throw permissionDenied('You can’t decide about yourself. Another owner has to.')
  }
  if (approval.state !== 'pending') throw brokenRule(`The approval is already ${approval.state}.`)
  if (approval.expiresAt <= now) throw brokenRule('The approval has expired.')
}
