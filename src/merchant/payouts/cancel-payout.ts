// A race with the submission is decided by the lock of the payout: the first one wins. A submitted
// payout can't be cancelled, and a cancelled one is never submitted.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assert, assertDefined } from '../../kernel/basics/assert.ts'
import { brokenRule, notFound } from '../../kernel/basics/fault.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { ok } from '../../kernel/http/route.ts'
import { writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { updateApprovalWithdrawn } from '../approvals/approval-store.ts'
import { defineOperation, defineRoute } from '../context.ts'
import { mayBecome, type Payout, payoutSchema, presentPayout } from './payout.ts'
import { lockPayout, updatePayout } from './payout-store.ts'

export const cancelPayout = defineOperation({
  name: 'cancel-payout',
  summary: 'Cancel a payout that is not submitted yet',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: ['payouts:cancel'],
  roles: writerRoles,
  run: (context, actor, { id }): Promise<Payout> =>
    context.database.transaction(async (tx) => {
      const payout = await lockPayout(tx, actor, id)
      if (!payout) throw notFound('payout')
      if (payout.status === 'cancelled') {
        context.call.nothingChanged()
        return payout
      }
      if (!mayBecome(payout.status, 'cancelled')) {
        throw brokenRule('Only a pending payout can be cancelled.')
      }
      const approvalId = assertDefined(payout.approvalId, 'a pending payout without an approval')
      const isWithdrawn = await updateApprovalWithdrawn(tx, actor, approvalId)
      assert(isWithdrawn, `the approval of the pending payout ${id} is not pending`)
      return cancelHeldPayout(tx, context, actor, payout)
    }),
})

export const cancelPayoutRoute = defineRoute({
  operation: cancelPayout,
  method: 'POST',
  path: '/payouts/:id/cancel',
  operationId: 'cancelPayout',
  tag: 'Payouts',
  description:
    'Repeating the call leaves the payout cancelled. The reserved amount is available again.',
  params: z.object({ id: uuid() }),
  body: z.strictObject({}),
  responses: { 200: { description: 'The cancelled payout.', schema: payoutSchema } },
  faults: ['not_found'],
  input: ({ params }) => params,
  answer: (payout) => ok(presentPayout(payout)),
})

// For a payout that the caller has locked and whose approval ends in the same transaction.
export async function cancelHeldPayout(
  tx: Tx,
  context: Context,
  actor: Actor,
  payout: Payout,
): Promise<Payout> {
  const { id, approvalId } = payout
  assert(mayBecome(payout.status, 'cancelled'), `payout ${id}: ${payout.status} → cancelled`)
  const now = context.clock.now()
  const changes = { status: 'cancelled', endedAt: now, updatedAt: now } as const
  await updatePayout(tx, actor, id, changes)
  await recordAct(tx, context, actor, {
    action: 'payout.cancel',
    objectKind: 'payout',
    objectId: id,
    detail: { approvalId },
  })
  context.failpoint('payout.cancelling')
  return { ...payout, ...changes }
}
