import { z } from 'zod'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { approverRoles, requirePerson } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { rejectPayout } from '../payouts/approve-payout.ts'
import type { Approval } from './approval.ts'
import { findApproval } from './approval-store.ts'
import { decideApproval } from './decide-approval.ts'

export const rejectApproval = defineOperation({
  name: 'reject-approval',
  summary: "Reject another person's request; no money is moved",
  kind: 'write',
  input: z.strictObject({ id: uuid(), reason: z.string().nullable() }),
  scopes: [],
  roles: approverRoles,
  peopleOnly: true,
  async run(context, actor, { id, reason }): Promise<Approval> {
    const approver = requirePerson(actor)
    return context.database.transaction(async (tx) => {
      const asked = await findApproval(tx, approver, id)
      if (!asked) throw notFound('approval')
      if (asked.operation === 'payout') await rejectPayout(tx, context, approver, asked, reason)
      else await decideApproval(tx, context, approver, id, { state: 'rejected', reason })
      return assertDefined(await findApproval(tx, approver, id), 'approvals are never deleted')
    })
  },
})
