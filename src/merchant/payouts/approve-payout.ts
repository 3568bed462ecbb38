// The effect of an approval decision on a held payout. The payout is locked before its approval,
// everywhere.
import type { PersonActor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assert, assertDefined } from '../../kernel/basics/assert.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { ServiceContext } from '../../kernel/operations/service-context.ts'
import { type Approval, requestHash } from '../approvals/approval.ts'
import { decideApproval } from '../approvals/decide-approval.ts'
import { requireVerified } from '../business/require-verified.ts'
import { requireNotPaused } from '../pauses/require-not-paused.ts'
import { cancelHeldPayout } from './cancel-payout.ts'
import { mayBecome, type Payout } from './payout.ts'
import { payoutApprovalRequest } from './payout-destination.ts'
import { lockPayout, updatePayout } from './payout-store.ts'
import { reserveBalance, resolveDestination } from './reserve-payout.ts'
import { completePayout } from './settle-payout.ts'

// Decides, checks everything again, and submits the payout; a failure undoes the decision. The
// resolver sends a payout to the bank within seconds, so the approver does not wait for the
// provider, and a crash loses nothing.
export async function approvePayout(
  tx: Tx,
  context: ServiceContext,
  approver: PersonActor,
  approval: Approval,
): Promise<void> {
  const payout = await lockHeldPayout(tx, approver, approval)
  await decideApproval(tx, context, approver, approval.id, { state: 'approved' })
  assert(mayBecome(payout.status, 'processing'), `payout ${payout.id} is ${payout.status}`)
  await requireVerified(tx, approver)
  await requireNotPaused(context, 'payouts', tx)
  const isToBank = payout.destinationType === 'provider_bank'
  const account = isToBank ? await resolveDestination(tx, context, approver, payout) : undefined
  const request = payoutApprovalRequest(context.secrets, payout, account)
  if (!requestHash(approver, 'payout', request).equals(approval.requestHash)) {
    const message =
      'The settlement account has changed since this request. Cancel the payout and request it again.'
    throw new Fault('conflict', message)
  }
  // Its own amount is already reserved. Refunds may have reduced the balance since.
  await reserveBalance(tx, approver, payout.currency, 0n)
  const now = context.clock.now()
  const changes = {
    status: 'processing',
    nextLookAt: isToBank ? now : null,
    updatedAt: now,
  } as const
  await updatePayout(tx, approver, payout.id, changes)
  await recordAct(tx, context, approver, {
    action: 'payout.submit',
    objectKind: 'payout',
    objectId: payout.id,
    detail: { approvalId: approval.id },
  })
  if (!isToBank) await completePayout(tx, context, approver, { ...payout, ...changes }, null)
  context.failpoint('payout.submitting')
}

export async function rejectPayout(
  tx: Tx,
  context: ServiceContext,
  approver: PersonActor,
  approval: Approval,
  reason: string | null,
): Promise<void> {
  const payout = await lockHeldPayout(tx, approver, approval)
  await decideApproval(tx, context, approver, approval.id, { state: 'rejected', reason })
  await cancelHeldPayout(tx, context, approver, payout)
}

async function lockHeldPayout(
  tx: Tx,
  approver: PersonActor,
  { objectId }: Approval,
): Promise<Payout> {
  return assertDefined(await lockPayout(tx, approver, objectId), 'an approval of no payout')
}
