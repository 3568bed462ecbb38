import type { PersonActor } from '../../kernel/auth/actor.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { type Approval, requestHash } from '../approvals/approval.ts'
import { decideApproval, requireDecidable } from '../approvals/decide-approval.ts'
import { type Approving, voidApproval } from '../approvals/void-approval.ts'
import { requireVerified } from '../business/require-verified.ts'
import { requireNotPaused } from '../pauses/require-not-paused.ts'
import { checkRefundable, recordRefund, refundApprovalRequest } from './reserve-refund.ts'

// Checks everything again under the payment's lock, decides, and records the refund, or nothing.
// The resolver sends the refund within seconds, so the approver does not wait for the provider, and
// a crash loses nothing.
//
// A temporary obstacle (a pause, another refund in flight) leaves the approval unchanged. If the
// payment has changed so that this refund is no longer possible, the approval becomes void.
export async function approveRefund(
  tx: Tx,
  context: Context,
  approver: PersonActor,
  approval: Approval,
): Promise<Approving> {
  const { id: approvalId, objectId, requestedByKind, requestedBy } = approval
  await requireDecidable(tx, context, approver, approvalId)
  await requireVerified(tx, approver)
  await requireNotPaused(context, 'refunds', tx)
  const wantedMinor = BigInt(assertDefined(approval.request.amountMinor, 'a refund of no amount'))
  const checked = await checkRefundable(tx, approver, objectId, wantedMinor)
  if (checked instanceof Fault) {
    if (checked.kind !== 'invalid_request') throw checked
    return voidApproval(tx, context, approver, approval, changed)
  }
  if (
    !requestHash(approver, 'refund', refundApprovalRequest(checked)).equals(approval.requestHash)
  ) {
    return voidApproval(tx, context, approver, approval, changed)
  }
  await decideApproval(tx, context, approver, approvalId, { state: 'approved' })
  context.failpoint('approval.deciding')
  await recordRefund(tx, context, approver, checked, {
    nextLookAt: null,
    approvalId,
    requestedByKind,
    requestedBy,
  })
  context.failpoint('approval.executing')
  return { kind: 'executed' }
}

const changed =
  'The payment has changed since this request, so nothing was refunded and the approval is ' +
  'void. Request the refund again if you still want it.'
