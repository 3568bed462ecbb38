// A second person approves. The operation is executed in the same transaction, so it happens
// exactly once.
import { z } from 'zod'
import type { PersonActor } from '../../kernel/auth/actor.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { approverRoles, requirePerson } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { approveSettlementAccount } from '../business/approve-settlement-account.ts'
import { defineOperation, type MerchantContext } from '../context.ts'
import { approvePayout } from '../payouts/approve-payout.ts'
import { approveRefund } from '../refunds/approve-refund.ts'
import { type Approval, isAboutPeople } from './approval.ts'
import { findApproval } from './approval-store.ts'
import { approvePeople } from './approve-people.ts'
import { approveThreshold } from './approve-threshold.ts'
import type { Approving } from './void-approval.ts'

export const approveApproval = defineOperation({
  name: 'approve-approval',
  summary: "Approve another person's request; executes it at once",
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: approverRoles,
  peopleOnly: true,
  async run(context, actor, { id }): Promise<Approval> {
    const approver = requirePerson(actor)
    const asked = await findApproval(context.database.sql, approver, id)
    if (!asked) throw notFound('approval')
    const { approving, approval } = await context.database.transaction(async (tx) => ({
      approving: await execute(tx, context, approver, asked),
      approval: await findApproval(tx, approver, id),
    }))
    context.failpoint('approval.executed')
    // Thrown after the transaction, because the end of the approval must be saved.
    if (approving.kind === 'void') throw new Fault('conflict', approving.reason)
    return assertDefined(approval, 'approvals are never deleted')
  },
})

async function execute(
  tx: Tx,
  context: MerchantContext,
  approver: PersonActor,
  approval: Approval,
): Promise<Approving> {
  if (approval.operation === 'refund') return approveRefund(tx, context, approver, approval)
  if (approval.operation === 'settlement_account') {
    return approveSettlementAccount(tx, context, approver, approval)
  }
  if (approval.operation === 'threshold') return approveThreshold(tx, context, approver, approval)
  if (isAboutPeople(approval.operation)) return approvePeople(tx, context, approver, approval)
  await approvePayout(tx, context, approver, approval)
  return { kind: 'executed' }
}
