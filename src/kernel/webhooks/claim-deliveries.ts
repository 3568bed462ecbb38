// Chooses what is sent next: first the endpoints, those first that have waited longest for their
// turn, then a few deliveries of each. A backlog of one endpoint never comes before another's turn.
//
// Most looks start at a watermark, because what was sent before it lies in the index as long as any
// transaction could still see it, a backup for example: with 200,000 such entries a look without it
// took a third of a second. Nothing that was due at the last sweep, which looks at everything, is
// below the watermark; what appears below it later waits for the next sweep.
import { addMilliseconds, addSeconds } from '../basics/clock.ts'
import type { Context } from '../db/context.ts'
import type { Lanes } from './lanes.ts'
import {
  type Claim,
  type Claimed,
  type ClaimRequest,
  type DueEndpoint,
  listClaimed,
  listDueEndpoints,
  lockDueDeliveries,
} from './queue-store.ts'

// A worker that dies is noticed after this. Longer than any attempt may take.
export const leaseSeconds = 30

const perTurnMax = 4
// So few that most connections stay with whoever else wants the database.
const shardsAtOnce = 4
const rememberedMax = 50_000

// Longer than a transaction takes to commit what it has published.
const lateMs = 10_000
// A sweep takes a twentieth of the time at most.
const sweepMsMin = 5000
const sweepMsMax = 30_000
const sweepShare = 20

const beginning = new Date(0)

export type Claimer = (isSweep?: boolean) => Promise<Claimed[]>

export function createClaimer(context: Context, lanes: Lanes): Claimer {
  const { clock, ids, database } = context
  let watermark = beginning
  let nextSweepMs = Number.NEGATIVE_INFINITY
  // When each endpoint had its last turn, in turns and not in time.
  const turns = new Map<string, number>()
  let turn = 0

  function choose(due: readonly DueEndpoint[]): (DueEndpoint & { limit: number })[] {
    const lastTurn = ({ endpointId }: DueEndpoint) => turns.get(endpointId) ?? 0
    const inOrder = due.toSorted(
      (one, other) =>
        lastTurn(one) - lastTurn(other) || one.runAt.getTime() - other.runAt.getTime(),
    )
    const take = lanes.offer()
    return inOrder.flatMap((endpoint) => {
      const limit = take(endpoint.endpointId, perTurnMax)
      return limit > 0 ? [{ ...endpoint, limit }] : []
    })
  }

  async function sweep(): Promise<DueEndpoint[]> {
    const now = clock.now()
    const beganMs = clock.monotonicMs()
    const due = await listDueEndpoints(database.sql, { from: beginning, now })
    const oldestMs = due.map(({ runAt }) => runAt.getTime())
    watermark = new Date(Math.min(addMilliseconds(now, -lateMs).getTime(), ...oldestMs))
    const endedMs = clock.monotonicMs()
    const pauseMs = sweepShare * (endedMs - beganMs)
    nextSweepMs = endedMs + Math.min(Math.max(pauseMs, sweepMsMin), sweepMsMax)
    return due
  }

  async function claimIn(shard: number, wanted: ClaimRequest['wanted']): Promise<Claim[]> {
    const now = clock.now()
    const leaseUntil = addSeconds(now, leaseSeconds)
    const request = { shard, claimId: ids.uuid(), leaseUntil, from: watermark, now, wanted }
    const claims = await lockDueDeliveries(database.sql, request)
    context.failpoint('webhook.claimed')
    for (const { endpointId } of wanted) turns.set(endpointId, turn)
    return claims
  }

  return async (isSweep = clock.monotonicMs() >= nextSweepMs) => {
    turn += 1
    if (turns.size > rememberedMax) turns.clear()
    const due = isSweep
      ? await sweep()
      : await listDueEndpoints(database.sql, { from: watermark, now: clock.now() })
    const shards = [...Map.groupBy(choose(due), ({ shard }) => shard)]
    const claims: Claim[] = []
    while (shards.length > 0) {
      const some = shards.splice(0, shardsAtOnce).map(([shard, wanted]) => claimIn(shard, wanted))
      claims.push(...(await Promise.all(some)).flat())
    }
    return claims.length > 0 ? listClaimed(database.sql, claims) : []
  }
}
