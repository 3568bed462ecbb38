// What an approval does depends on what was asked for.
import type { PersonActor } from '../../kernel/auth/actor.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import type { Context } from '../../kernel/db/context.ts'
import { approveRefund } from '../refunds/approve-refund.ts'
import type { Approval } from './approval.ts'
import { findApproval } from './approval-store.ts'
import { decideApproval } from './decide-approval.ts'

export async function approve(
  context: Context,
  approver: PersonActor,
  approvalId: string,
): Promise<Approval> {
  const approval = await findApproval(context.database.sql, approver, approvalId)
  if (approval?.operation !== 'refund') throw notFound('approval')
  await context.database.transaction((tx) => approveRefund(tx, context, approver, approval))
  context.failpoint('approval.executed')
  return approval
}

export async function reject(
  context: Context,
  approver: PersonActor,
  approvalId: string,
  reason: string | null,
): Promise<void> {
  await context.database.transaction((tx) =>
    decideApproval(tx, context, approver, approvalId, { state: 'rejected', reason }),
  )
}
