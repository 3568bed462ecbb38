// What a decision does depends on what was asked for.
import type { PersonActor } from '../../kernel/auth/actor.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { ServiceContext } from '../../kernel/operations/service-context.ts'
import { approvePayout, rejectPayout } from '../payouts/approve-payout.ts'
import { approveRefund } from '../refunds/approve-refund.ts'
import type { Approval } from './approval.ts'
import { findApproval } from './approval-store.ts'
import { approveThreshold } from './approve-threshold.ts'
import { decideApproval } from './decide-approval.ts'
import type { Approving } from './void-approval.ts'

export async function approve(
  context: ServiceContext,
  approver: PersonActor,
  approvalId: string,
): Promise<Approval> {
  const approval = await findWanted(context, approver, approvalId)
  const approving = await context.database.transaction((tx) =>
    execute(tx, context, approver, approval),
  )
  context.failpoint('approval.executed')
  // Said only now: the end of the approval has to be kept.
  if (approving.kind === 'void') throw new Fault('conflict', approving.reason)
  return approval
}

async function execute(
  tx: Tx,
  context: ServiceContext,
  approver: PersonActor,
  approval: Approval,
): Promise<Approving> {
  if (approval.operation === 'refund') return approveRefund(tx, context, approver, approval)
  if (approval.operation === 'threshold') return approveThreshold(tx, context, approver, approval)
  await approvePayout(tx, context, approver, approval)
  return { kind: 'executed' }
}

export async function reject(
  context: ServiceContext,
  approver: PersonActor,
  approvalId: string,
  reason: string | null,
): Promise<void> {
  const approval = await findWanted(context, approver, approvalId)
  await context.database.transaction((tx) =>
    approval.operation === 'payout'
      ? rejectPayout(tx, context, approver, approval, reason)
      : decideApproval(tx, context, approver, approvalId, { state: 'rejected', reason }),
  )
}

async function findWanted(
  { database }: ServiceContext,
  approver: PersonActor,
  approvalId: string,
): Promise<Approval> {
  const approval = await findApproval(database.sql, approver, approvalId)
  if (!approval) throw notFound('approval')
  return approval
}
