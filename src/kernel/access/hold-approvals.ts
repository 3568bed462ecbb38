// A role that can approve which a person gave, and no other owner confirmed, does not approve for a
// day: an owner must not approve their own payouts with an account that they just made.
import type { Actor } from '../auth/actor.ts'
import { updateApprovalHeld } from '../auth/membership-store.ts'
import type { Tx } from '../db/database.ts'
import type { ServiceContext } from '../operations/service-context.ts'

export async function holdApprovals(
  tx: Tx,
  { clock }: Pick<ServiceContext, 'clock'>,
  actor: Actor,
  personId: string,
): Promise<void> {
  if (actor.kind === 'system') return
  await updateApprovalHeld(tx, actor.businessId, personId, clock.now())
}
