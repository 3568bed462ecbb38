// Chooses what is sent next: first the endpoints, by whose turn it is and who has room, then a few
// deliveries of each. A backlog of one endpoint never comes before another's turn.
import { addSeconds } from '../basics/clock.ts'
import type { Context } from '../db/context.ts'
import { type Claim, lockDueDeliveries, type Wanted } from './claim-store.ts'
import { type Claimed, listClaimed } from './claimed-store.ts'
import { createDueEndpoints } from './due-endpoints.ts'
import type { Lanes } from './lanes.ts'
import { createTurns } from './turns.ts'

// A worker that dies is noticed after this, by the next sweep. Longer than any attempt may take.
export const leaseSeconds = 25

// As many as one endpoint may have under way.
const perTurnMax = 8

export type Claimer = (isSweep?: boolean) => Promise<Claimed[]>

export function createClaimer(context: Context, lanes: Lanes): Claimer {
  const { clock, ids, database } = context
  const due = createDueEndpoints(context)
  const turns = createTurns()

  async function choose(isSweep?: boolean): Promise<Wanted[]> {
    const waiting = turns.inOrder(await due.find(isSweep), lanes.hasRoom)
    const take = lanes.offer()
    const wanted = waiting.flatMap((endpoint) => {
      const limit = take(endpoint, perTurnMax)
      return limit > 0 ? [{ ...endpoint, limit }] : []
    })
    turns.took(wanted)
    return wanted
  }

  async function lock(wanted: readonly Wanted[]): Promise<Claim[]> {
    const now = clock.now()
    const request = { claimId: ids.uuid(), leaseUntil: addSeconds(now, leaseSeconds), now }
    return database.transaction((tx) => lockDueDeliveries(tx, request, wanted))
  }

  return async (isSweep) => {
    const wanted = await choose(isSweep)
    if (wanted.length === 0) return []
    const claims = await lock(wanted)
    context.failpoint('webhook.claimed')
    const counts = Map.groupBy(claims, ({ endpointId }) => endpointId)
    for (const { endpointId, limit } of wanted) {
      if ((counts.get(endpointId)?.length ?? 0) < limit) due.forget(endpointId)
    }
    return claims.length > 0 ? listClaimed(database.sql, claims) : []
  }
}
