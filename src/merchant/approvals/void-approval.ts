// Ends an approval whose request can no longer be executed. It is not approved, and nothing is
// executed.
import type { PersonActor } from '../../kernel/auth/actor.ts'
import { recordAct } from '../../kernel/auth/audit-log.ts'
import type { Context } from '../../kernel/db/context.ts'
import type { Tx } from '../../kernel/db/database.ts'
import type { Approval } from './approval.ts'
import { updateApprovalVoid } from './approval-store.ts'

// The result of approving. `reason` is for the person who wanted to approve.
export type Approving =
  | { readonly kind: 'executed' }
  | { readonly kind: 'void'; readonly reason: string }

export async function voidApproval(
  tx: Tx,
  context: Context,
  approver: PersonActor,
  { id, operation, objectId }: Approval,
  reason: string,
): Promise<Approving> {
  await updateApprovalVoid(tx, approver, id, reason)
  await recordAct(tx, context, approver, {
    action: 'approval.void',
    objectKind: 'approval',
    objectId: id,
    detail: { operation, objectId, reason },
  })
  return { kind: 'void', reason }
}
