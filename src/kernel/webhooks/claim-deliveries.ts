// Chooses what is sent next: first the endpoints, by whose turn it is and who has room, then a few
// deliveries of each. A backlog of one endpoint never comes before another's turn.
import { addSeconds } from '../basics/clock.ts'
import type { Context } from '../db/context.ts'
import { createDueEndpoints } from './due-endpoints.ts'
import type { Lanes } from './lanes.ts'
import {
  type Claim,
  type Claimed,
  type ClaimRequest,
  listClaimed,
  lockDueDeliveries,
} from './queue-store.ts'
import { createTurns } from './turns.ts'

// A worker that dies is noticed after this. Longer than any attempt may take.
export const leaseSeconds = 30

const perTurnMax = 4
// So few that most connections stay with whoever else wants the database.
const shardsAtOnce = 4

export type Claimer = (isSweep?: boolean) => Promise<Claimed[]>

type Wanted = ClaimRequest['wanted']

export function createClaimer(context: Context, lanes: Lanes): Claimer {
  const { clock, ids, database } = context
  const due = createDueEndpoints(context)
  const turns = createTurns()

  async function choose(isSweep?: boolean): Promise<Wanted> {
    const waiting = turns.inOrder(await due.find(isSweep), lanes.hasRoom)
    const take = lanes.offer()
    const wanted = waiting.flatMap((endpoint) => {
      const limit = take(endpoint, perTurnMax)
      return limit > 0 ? [{ ...endpoint, limit }] : []
    })
    turns.took(wanted)
    return wanted
  }

  async function claimIn(shard: number, wanted: Wanted): Promise<Claim[]> {
    const now = clock.now()
    const leaseUntil = addSeconds(now, leaseSeconds)
    const request = { shard, claimId: ids.uuid(), leaseUntil, now, wanted }
    const claims = await lockDueDeliveries(database.sql, request)
    context.failpoint('webhook.claimed')
    const counts = Map.groupBy(claims, ({ endpointId }) => endpointId)
    for (const { endpointId, limit } of wanted) {
      if ((counts.get(endpointId)?.length ?? 0) < limit) due.forget(endpointId)
    }
    return claims
  }

  return async (isSweep) => {
    const shards = [...Map.groupBy(await choose(isSweep), ({ shard }) => shard)]
    const claims: Claim[] = []
    while (shards.length > 0) {
      const some = shards.splice(0, shardsAtOnce).map(([shard, wanted]) => claimIn(shard, wanted))
      claims.push(...(await Promise.all(some)).flat())
    }
    return claims.length > 0 ? listClaimed(database.sql, claims) : []
  }
}
