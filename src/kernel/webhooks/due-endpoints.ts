// Tracks which endpoints have due deliveries, and which one is served next.
//
// A look reads the deliveries that became due since the last look. Its cost depends on how much
// happens, not on how much waits. It reaches back a little, because an event appears when its
// transaction commits. A sweep visits every endpoint with anything in the queue. It finds
// deliveries that a look missed, and those of a dead worker.
import { addMilliseconds } from '../basics/clock.ts'
import type { Context } from '../db/context.ts'
import type { Claim, Wanted } from './claim-store.ts'
import { type DueEndpoint, listDueEndpoints, listNewlyDueEndpoints } from './queue-store.ts'

export type DueEndpoints = {
  // Also sweeps when a sweep is due or requested.
  refresh(isSweep?: boolean): Promise<void>
  // By business. Those served longest ago come first: the businesses, and the endpoints of each.
  waiting(): DueEndpoint[][]
  // Moves these endpoints to the end, after they were served with these claims.
  served(wanted: readonly Wanted[], claims: readonly Claim[]): void
}

// Longer than our transactions usually take from the event to the commit.
const lookBackMs = 2000
const lookMax = 5000
// Together with the lease, a dead worker's deliveries are taken over within half a minute.
const sweepEveryMs = 5000
// With millions due, a sweep takes seconds. Most of the time is for sending.
const restPerSweep = 10

export function createDueEndpoints({ clock, database }: Context): DueEndpoints {
  // In the order of service. Setting an existing key of a Map keeps its place.
  const businesses = new Map<string, Map<string, DueEndpoint>>()
  let lookedUntil = clock.now()
  let nextSweepMs = Number.NEGATIVE_INFINITY

  function add(endpoint: DueEndpoint): void {
    const endpoints = businesses.get(endpoint.businessId) ?? new Map<string, DueEndpoint>()
    businesses.set(endpoint.businessId, endpoints.set(endpoint.endpointId, endpoint))
  }

  function remove({ businessId, endpointId }: DueEndpoint): void {
    const endpoints = businesses.get(businessId)
    endpoints?.delete(endpointId)
    if (endpoints?.size === 0) businesses.delete(businessId)
  }

  async function sweep(now: Date): Promise<void> {
    const startedMs = clock.monotonicMs()
    // Also after a failure: looks go on in between.
    nextSweepMs = startedMs + sweepEveryMs
    const due = await listDueEndpoints(database.sql, now)
    const ids = new Set(due.map(({ endpointId }) => endpointId))
    for (const endpoint of waiting().flat()) if (!ids.has(endpoint.endpointId)) remove(endpoint)
    due.forEach(add)
    const endedMs = clock.monotonicMs()
    nextSweepMs = endedMs + Math.max(sweepEveryMs, restPerSweep * (endedMs - startedMs))
  }

  async function look(now: Date): Promise<void> {
    const from = addMilliseconds(lookedUntil, -lookBackMs)
    const found = await listNewlyDueEndpoints(database.sql, { from, now, limit: lookMax })
    for (const endpoint of found) {
      const known = businesses.get(endpoint.businessId)?.get(endpoint.endpointId)
      if (!known || endpoint.runAt < known.runAt) add(endpoint)
    }
  }

  function waiting(): DueEndpoint[][] {
    return [...businesses.values()].map((endpoints) => [...endpoints.values()])
  }

  return {
    async refresh(isSweep = clock.monotonicMs() >= nextSweepMs) {
      const now = clock.now()
      await (isSweep ? sweep(now) : look(now))
      lookedUntil = now
    },
    waiting,
    served(wanted, claims) {
      const claimed = Map.groupBy(claims, ({ endpointId }) => endpointId)
      for (const { limit, ...endpoint } of wanted) {
        remove(endpoint)
        const others = businesses.get(endpoint.businessId)
        businesses.delete(endpoint.businessId)
        if (others) businesses.set(endpoint.businessId, others)
        // Otherwise nothing more of it is due.
        if (claimed.get(endpoint.endpointId)?.length === limit) add(endpoint)
      }
    },
  }
}
