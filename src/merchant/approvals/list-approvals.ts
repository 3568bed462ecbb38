import { z } from 'zod'
import { everyRole } from '../../kernel/operations/permission.ts'
import { defineOperation } from '../context.ts'
import { listApprovals as listStoredApprovals } from './approval-store.ts'
import { type ApprovalView, readApprovalViews } from './read-approval-views.ts'

const listMax = 100

export const listApprovals = defineOperation({
  name: 'list-approvals',
  summary: 'List approvals, newest first',
  kind: 'read',
  input: z.strictObject({ includesDecided: z.boolean().default(false) }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, { includesDecided }): Promise<ApprovalView[]> {
    const state = includesDecided ? undefined : 'pending'
    const approvals = await listStoredApprovals(sql, actor, state, listMax)
    const pending = approvals.filter((approval) => approval.state === 'pending')
    return readApprovalViews(sql, actor, approvals, pending)
  },
})
