import { z } from 'zod'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { findApproval, listApprovals } from './approval-store.ts'
import { type ApprovalView, readApprovalViews } from './read-approval-views.ts'

// As many as the list of approvals shows.
const comparedMax = 100

export const getApproval = defineOperation({
  name: 'get-approval',
  summary: 'Read one approval',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, { id }): Promise<ApprovalView> {
    const approval = await findApproval(sql, actor, id)
    if (!approval) throw notFound('approval')
    const pending = await listApprovals(sql, actor, 'pending', comparedMax)
    const [view] = await readApprovalViews(sql, actor, [approval], pending)
    return assertDefined(view, 'an approval without a view')
  },
})
