// Claims the next deliveries: first chooses endpoints, by their turn and the free slots, then a few
// deliveries of each. A long backlog of one endpoint does not delay another.
import { addSeconds } from '../basics/clock.ts'
import type { Context } from '../db/context.ts'
import type { Bulkheads } from './bulkheads.ts'
import { type Claimed, listClaimed, lockDueDeliveries } from './claim-store.ts'
import { createDueEndpoints } from './due-endpoints.ts'

// After this time, another worker takes over a dead worker's claims at its next sweep. Longer than
// any attempt can take.
export const leaseSeconds = 25

export type Claimer = (isSweep?: boolean) => Promise<Claimed[]>

export function createClaimer(context: Context, bulkheads: Bulkheads): Claimer {
  const { clock, ids, database } = context
  const due = createDueEndpoints(context)
  return async (isSweep) => {
    await due.refresh(isSweep)
    const wanted = bulkheads.allot(due.waiting())
    if (wanted.length === 0) return []
    const now = clock.now()
    const lease = { claimId: ids.uuid(), leaseUntil: addSeconds(now, leaseSeconds), now }
    const claims = await database.transaction((tx) => lockDueDeliveries(tx, lease, wanted))
    context.failpoint('webhook.claimed')
    due.served(wanted, claims)
    return listClaimed(database.sql, claims)
  }
}
