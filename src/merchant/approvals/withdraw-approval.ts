// The requester withdraws their own request, even a sole owner whose request no one else could
// decide. Four eyes protect against executing a request, not against ending it.
import { z } from 'zod'
import type { PersonActor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import { assertDefined } from '../../kernel/basics/assert.ts'
import { brokenRule, notFound, permissionDenied } from '../../kernel/basics/fault.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import { requirePerson, writerRoles } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { cancelHeldPayout } from '../payouts/cancel-payout.ts'
import { lockPayout } from '../payouts/payout-store.ts'
import type { Approval } from './approval.ts'
import { findApproval, lockApproval, updateApprovalWithdrawn } from './approval-store.ts'

export const withdrawApproval = defineOperation({
  name: 'withdraw-approval',
  summary: 'Withdraw your own request, or one made by your key',
  kind: 'write',
  input: z.strictObject({ id: uuid() }),
  scopes: [],
  roles: writerRoles,
  peopleOnly: true,
  async run(context, actor, { id }): Promise<Approval> {
    const person = requirePerson(actor)
    const found = await findApproval(context.database.sql, person, id)
    if (!found) throw notFound('approval')
    if (found.requesterPersonId !== person.personId) {
      throw permissionDenied(
        'Only the requester, or the creator of the key that requested, can withdraw it.',
      )
    }
    return context.database.transaction((tx) => withdraw(tx, context, person, found))
  },
})

async function withdraw(
  tx: Tx,
  context: Context,
  person: PersonActor,
  { id, operation, objectId }: Approval,
): Promise<Approval> {
  // The payout is locked before its approval, everywhere.
  const payout = operation === 'payout' ? await lockPayout(tx, person, objectId) : undefined
  const approval = assertDefined(await lockApproval(tx, person, id), 'approvals are never deleted')
  if (!(await updateApprovalWithdrawn(tx, person, id))) {
    throw brokenRule(`The approval is already ${approval.state}.`)
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
