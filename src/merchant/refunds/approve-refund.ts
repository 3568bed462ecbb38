import type { PersonActor } from '../../kernel/auth/actor.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { type Approval, requestHash } from '../approvals/approval.ts'
import { decideApproval } from '../approvals/decide-approval.ts'
import { requireVerified } from '../business/require-verified.ts'
import { requireNotPaused } from '../pauses/require-not-paused.ts'
import { refundRequest } from './refund-request.ts'
import { recordRefund, resolveRefund } from './reserve-refund.ts'

// Decides, checks everything again under the payment's lock, and records the refund; what fails
// undoes the decision. The resolver sends the refund within seconds, so whoever approves waits for
// no provider, and a crash loses nothing.
export async function approveRefund(
  tx: Tx,
  context: Context,
  approver: PersonActor,
  approval: Approval,
): Promise<void> {
  const { id: approvalId, objectId, requestedByKind, requestedBy } = approval
  await decideApproval(tx, context, approver, approvalId, { state: 'approved' })
  context.failpoint('approval.deciding')
  await requireVerified(tx, approver)
  await requireNotPaused(context, 'refunds', tx)
  const wantedMinor = BigInt(assertDefined(approval.request.amountMinor, 'a refund of no amount'))
  const resolved = await resolveRefund(tx, approver, objectId, wantedMinor)
  if (!requestHash(approver, 'refund', refundRequest(resolved)).equals(approval.requestHash)) {
    const message = 'The payment has changed since this was asked for. Ask for the refund again.'
    throw new Fault('conflict', message)
  }
  await recordRefund(tx, context, approver, resolved, {
    sends: 0,
    approvalId,
    requestedByKind,
    requestedBy,
  })
  context.failpoint('approval.executing')
}
