// The sliding limit, exact: a log of when each key's requests of the last minute were let in, so
// that no minute, wherever it starts, holds more than the limit. Refused requests are not logged:
// a client that keeps knocking is not locked out for longer.
//
// A request leaves the window exactly 60,000 ms after it was counted: at 59,999 ms it still
// counts, at 60,000 ms its place is free. Whoever waits Retry-After seconds is let in.
//
// This runs on every request, so nothing here is allocated, scanned or timed but a key's ring.
import { maskIPv6 } from '../basics/address.ts'
import { assert, assertDefined } from '../basics/assert.ts'

export type Verdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfterSeconds: number }

export type RateLimiter = {
  take(key: string, limit: number): Verdict | Promise<Verdict>
  close(): void
}

export type LocalRateLimiter = RateLimiter & {
  take(key: string, limit: number): Verdict
  keysHeld(): number
}

export const windowMs = 60_000

export const allowed: Verdict = Object.freeze({ allowed: true })

// Always a second at least, since a place that frees itself within the second is not free now.
export function refused(waitMs: number): Verdict {
  return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) }
}

// Whom a limit per address counts. A site is handed a whole /64 of IPv6 and its machines change
// their address within it at will, so the /64 counts as one caller.
export function addressKey(address: string): string {
  // IPv4, or no address at all: nothing to mask, and looking closer would cost every request.
  if (!address.includes(':')) return address
  return maskIPv6(address, 64) ?? address
}

// About 40 MB if a flood of distinct addresses fills it.
const defaultKeysMax = 100_000

type Options = {
  // Milliseconds from any start; see steadyTime for a source that steps back.
  nowMs: () => number
  keysMax?: number
}

export function createRateLimiter({ nowMs, keysMax = defaultKeysMax }: Options): LocalRateLimiter {
  const now = steadyTime(nowMs)
  const logs = createLogs(keysMax)
  return {
    take(key, limit) {
      assert(Number.isSafeInteger(limit) && limit > 0, 'a limit is a positive whole number')
      const time = now()
      const log = logs.find(key, time)
      dropUntil(log, time - windowMs)
      // The limit may have been lowered since; then more than one request has to leave first.
      if (log.count >= limit) {
        return refused(timeAt(log, log.count - limit) + windowMs - time)
      }
      append(log, time, limit)
      return allowed
    },
    keysHeld: () => logs.count(),
    close() {},
  }
}

// Keys live in two generations. One that is used moves into the newer; when the newer is a window
// old, the older is dropped whole: nobody in it was seen for a window, so its logs are all past,
// and idle keys cost neither a timer nor a scan. When the newer holds half of keysMax, the change
// comes early and the least recently used keys are forgotten before their time: memory is bounded
// whatever arrives, and a key is never forgotten while fewer than that half are used after it.
function createLogs(keysMax: number) {
  const generationMax = Math.max(1, Math.floor(keysMax / 2))
  let newer = new Map<string, Log>()
  let older = new Map<string, Log>()
  let changedAt = Number.NEGATIVE_INFINITY

  function changeGeneration(time: number) {
    older = newer
    newer = new Map()
    changedAt = time
  }

  return {
    count: () => newer.size + older.size,
    find(key: string, time: number): Log {
      if (time - changedAt >= windowMs) changeGeneration(time)
      const known = newer.get(key)
      if (known !== undefined) return known
      if (newer.size >= generationMax) changeGeneration(time)
      const log = older.get(key) ?? { times: new Float64Array(ringMin), first: 0, count: 0 }
      older.delete(key)
      newer.set(key, log)
      return log
    },
  }
}

// A ring of times, oldest first. It grows as it fills, so that a very high limit costs memory only
// for those who use it.
type Log = { times: Float64Array; first: number; count: number }

const ringMin = 4

function timeAt(log: Log, index: number): number {
  return assertDefined(log.times[(log.first + index) % log.times.length], 'the ring has this place')
}

function dropUntil(log: Log, time: number): void {
  while (log.count > 0 && timeAt(log, 0) <= time) {
    log.first = (log.first + 1) % log.times.length
    log.count -= 1
  }
}

function append(log: Log, time: number, limit: number): void {
  if (log.count === log.times.length) {
    const grown = new Float64Array(Math.min(limit, 2 * log.count))
    for (let index = 0; index < log.count; index += 1) grown[index] = timeAt(log, index)
    log.times = grown
    log.first = 0
  }
  log.times[(log.first + log.count) % log.times.length] = time
  log.count += 1
}

// Whole milliseconds that never go back. A wall clock that is set back would otherwise keep
// everyone out until it has caught up; here the step counts as no time at all, and time goes on
// from there. Whole ones, so that a wait of exactly Retry-After is never short by a rounding.
export function steadyTime(nowMs: () => number): () => number {
  let last = Number.NEGATIVE_INFINITY
  let offset = 0
  return () => {
    const now = Math.floor(nowMs())
    if (now + offset < last) offset = last - now
    last = now + offset
    return last
  }
}
