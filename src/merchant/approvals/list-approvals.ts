import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { oneOf } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { approvalOperations, approvalStates } from './approval.ts'
import { listApprovals as listStoredApprovals } from './approval-store.ts'
import { type ApprovalView, readApprovalViews } from './read-approval-views.ts'

const listMax = 100

export const listApprovals = defineOperation({
  name: 'list-approvals',
  summary: 'List approvals, newest first',
  kind: 'read',
  input: z.strictObject({
    includesDecided: z.boolean().default(false),
    // Instead: only those in this state.
    state: oneOf(approvalStates).optional(),
    operation: oneOf(approvalOperations).optional(),
  }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, input): Promise<ApprovalView[]> {
    const { operation, state = input.includesDecided ? undefined : 'pending' } = input
    const approvals = await listStoredApprovals(sql, actor, state, listMax, operation)
    const pending = approvals.filter((approval) => approval.state === 'pending')
    return readApprovalViews(sql, actor, approvals, pending)
  },
})
