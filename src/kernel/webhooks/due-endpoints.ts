// Knows which endpoints have something due, without asking for all of them again and again.
//
// A look reads what has become due since the look before, newest first and only so much: it costs
// by what happens, and not by how much waits. It begins somewhat earlier than the other ended,
// because what is published appears when its transaction commits. A sweep visits every endpoint
// that has anything in the queue. It finds what appeared too late for the looks, and what was too
// much for one, and what a worker that died has left. It comes seldom, since it may be long: what
// was sent lies in the index as long as any transaction could still see it, a backup for example.
import { addMilliseconds } from '../basics/clock.ts'
import type { Context } from '../db/context.ts'
import { type DueEndpoint, listDueEndpoints, listNewlyDueEndpoints } from './queue-store.ts'

export type DueEndpoints = {
  // Looks, or sweeps when it is time to or the caller wants to.
  find(isSweep?: boolean): Promise<Iterable<DueEndpoint>>
  // Nothing is left of it, until it is found again.
  forget(endpointId: string): void
}

// Longer than a transaction of ours usually takes from its events to its commit.
const soonMs = 1000
// Longer than nearly any takes; looked at once in a while.
const lateMs = 10_000
const lateEveryMs = 1000
const lookMax = 5000
// A sweep takes a twentieth of the time, but comes in any case so soon that what a worker left is
// taken over within 35 seconds of its death, also where a sweep takes one.
const sweepMsMin = 5000
const sweepMsMax = 7000
const sweepShare = 20

export function createDueEndpoints({ clock, database }: Context): DueEndpoints {
  let known = new Map<string, DueEndpoint>()
  // What was due then, and to be seen, is known.
  let position = clock.now()
  let nextLateMs = Number.NEGATIVE_INFINITY
  let nextSweepMs = Number.NEGATIVE_INFINITY
  let soonestSweepMs = Number.NEGATIVE_INFINITY

  async function sweep(): Promise<void> {
    const now = clock.now()
    const beganMs = clock.monotonicMs()
    const due = await listDueEndpoints(database.sql, now)
    known = new Map(due.map((endpoint) => [endpoint.endpointId, endpoint]))
    position = now
    const endedMs = clock.monotonicMs()
    const pauseMs = sweepShare * (endedMs - beganMs)
    soonestSweepMs = endedMs + Math.min(pauseMs, sweepMsMax)
    nextSweepMs = Math.max(soonestSweepMs, endedMs + sweepMsMin)
  }

  async function look(): Promise<void> {
    const now = clock.now()
    const isLate = clock.monotonicMs() >= nextLateMs
    if (isLate) nextLateMs = clock.monotonicMs() + lateEveryMs
    const from = addMilliseconds(position, isLate ? -lateMs : -soonMs)
    const found = await listNewlyDueEndpoints(database.sql, { from, now, limit: lookMax })
    let read = 0
    for (const { count, ...endpoint } of found) {
      read += count
      const before = known.get(endpoint.endpointId)
      if (!before || endpoint.runAt < before.runAt) known.set(endpoint.endpointId, endpoint)
    }
    position = now
    if (read === lookMax) nextSweepMs = soonestSweepMs
  }

  return {
    async find(isSweep = clock.monotonicMs() >= nextSweepMs) {
      await (isSweep ? sweep() : look())
      return known.values()
    },
    forget(endpointId) {
      known.delete(endpointId)
    },
  }
}
