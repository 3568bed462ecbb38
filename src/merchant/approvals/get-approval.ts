import { z } from 'zod'
import type { KeyActor } from '../../kernel/auth/actor.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { ok } from '../../kernel/http/route.ts'
import { everyRole, requireScope } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation, defineRoute } from '../context.ts'
import type { Approval } from './approval.ts'
import { approvalSchema, presentApproval } from './approval-record.ts'
import { findApproval, listApprovals } from './approval-store.ts'
import { type ApprovalView, readApprovalViews } from './read-approval-views.ts'

// As many as the list of approvals shows.
const comparedMax = 100

const readScopes = { refund: 'payments:read', payout: 'payouts:read' } as const

export const getApproval = defineOperation({
  name: 'get-approval',
  summary: 'Read one approval',
  kind: 'read',
  input: z.strictObject({ id: uuid() }),
  // A key sees approvals of what it may read.
  scopes: Object.values(readScopes),
  roles: everyRole,
  async run({ database: { sql } }, actor, { id }): Promise<ApprovalView> {
    const approval = await findApproval(sql, actor, id)
    if (!approval) throw notFound('approval')
    if (actor.kind === 'key') requireReadable(actor, approval)
    const pending = await listApprovals(sql, actor, 'pending', comparedMax)
    const [view] = await readApprovalViews(sql, actor, [approval], pending)
    return assertDefined(view, 'an approval without a view')
  },
})

// Approvals about people and thresholds are for people.
function requireReadable(actor: KeyActor, { operation }: Approval): void {
  if (operation !== 'refund' && operation !== 'payout') throw notFound('approval')
  requireScope(actor, [readScopes[operation]])
}

export const getApprovalRoute = defineRoute({
  operation: getApproval,
  method: 'GET',
  path: '/approvals/:id',
  operationId: 'getApproval',
  tag: 'Payouts',
  summary: 'Read the approval of a held refund or payout',
  description:
    'The `approvalId` of a 202. For a refund the key needs `payments:read`, for a payout ' +
    '`payouts:read`.',
  params: z.object({ id: uuid() }),
  responses: { 200: { description: 'The approval.', schema: approvalSchema } },
  faults: ['not_found'],
  input: ({ params }) => params,
  answer: (approval, { clock }) => ok(presentApproval(approval, clock.now())),
})
