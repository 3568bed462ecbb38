// Whoever asked takes it back, also a sole owner whom nobody else could answer. Four eyes are about
// letting something happen; this only makes sure that it never does.
import type { PersonActor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { invalid, notFound, permissionDenied } from '../../kernel/basics/fault.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { cancelHeldPayout } from '../payouts/cancel-payout.ts'
import { lockPayout } from '../payouts/payout-store.ts'
import type { Approval } from './approval.ts'
import { findApproval, lockApproval, updateApprovalWithdrawn } from './approval-store.ts'

export async function withdrawApproval(
  context: Context,
  person: PersonActor,
  approvalId: string,
): Promise<Approval> {
  const found = await findApproval(context.database.sql, person, approvalId)
  if (!found) throw notFound('approval')
  if (found.requesterPersonId !== person.personId) {
    throw permissionDenied('Only whoever asked, or made the key that asked, takes it back.')
  }
  return context.database.transaction((tx) => withdraw(tx, context, person, found))
}

async function withdraw(
  tx: Tx,
  context: Context,
  person: PersonActor,
  { id, operation, objectId }: Approval,
): Promise<Approval> {
  // Before its approval, as everybody does who changes both.
  const payout = operation === 'payout' ? await lockPayout(tx, person, objectId) : undefined
  const approval = assertDefined(await lockApproval(tx, person, id), 'approvals are never deleted')
  if (!(await updateApprovalWithdrawn(tx, person, id))) {
    throw invalid(`The approval is ${approval.state} already.`)
  }
  await recordAct(tx, context, person, {
    action: 'approval.withdraw',
    objectKind: 'approval',
    objectId: id,
    detail: { operation, objectId },
  })
  if (payout) await cancelHeldPayout(tx, context, person, payout)
  return { ...approval, state: 'withdrawn' }
}
