// An exact sliding limit: it stores the times of each key's allowed requests of the last minute, so
// no minute, wherever it starts, has more than the limit. Refused requests are not counted, so a
// client that keeps trying is not locked out for longer.
//
// A request leaves the window exactly 60,000 ms after it was counted: at 59,999 ms it still counts,
// at 60,000 ms it does not. A client that waits Retry-After seconds is allowed.
import { maskIPv6 } from '../basics/address.ts'
import { assert, assertDefined } from '../basics/assert.ts'

export type Verdict =
  | {
      readonly allowed: true
      // How many more fit into the window now.
      readonly remaining: number
      // Until the oldest request that counts leaves the window.
      readonly resetSeconds: number
    }
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

export function allowed(remaining: number, resetMs: number): Verdict {
  return { allowed: true, remaining, resetSeconds: wholeSeconds(resetMs) }
}

export function refused(waitMs: number): Verdict {
  return { allowed: false, retryAfterSeconds: wholeSeconds(waitMs) }
}

// At least a second, since less would round to zero.
function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}

// The caller that a limit per address counts. A site gets a whole /64 of IPv6, and its machines
// change their address within it at will, so a /64 counts as one caller.
export function addressKey(address: string): string {
  // IPv4 or no address: nothing to mask, and parsing would cost every request.
  if (!address.includes(':')) return address
  return maskIPv6(address, 64) ?? address
}

// About 40 MB if a flood of distinct addresses fills it.
const defaultKeysMax = 100_000

type Options = {
  // Milliseconds from any start. See steadyTime for a clock that can step back.
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
      const { times, first } = logs.use(key, time)
      const used = times.length - first
      if (used < limit) {
        times.push(time)
        return allowed(limit - used - 1, (times[first] ?? time) + windowMs - time)
      }
      // The limit may have been lowered. Then more than one request has to leave first.
      const blocking = assertDefined(times.at(-limit), 'there are as many requests as the limit')
      return refused(blocking + windowMs - time)
    },
    keysHeld: () => logs.count(),
    close() {},
  }
}

// The times of a key's requests, oldest first. Those before `first` have left the window. They are
// removed many at a time, because removing from the front of an array moves all others.
type Log = { times: number[]; first: number }

// A Map keeps its keys in the order in which they were set. A key that is used is set again, so the
// first key is the one unused for longest. It is removed when all its requests have left the
// window, or when there are too many keys, so memory is bounded.
function createLogs(keysMax: number) {
  const logs = new Map<string, Log>()
  return {
    count: () => logs.size,
    use(key: string, time: number): Log {
      const log = logs.get(key) ?? { times: [], first: 0 }
      logs.delete(key)
      dropUntil(log, time - windowMs)
      for (const [idle, { times }] of logs) {
        const isPast = (times.at(-1) ?? 0) <= time - windowMs
        if (!isPast && logs.size < keysMax) break
        logs.delete(idle)
      }
      logs.set(key, log)
      return log
    },
  }
}

function dropUntil(log: Log, time: number): void {
  while ((log.times[log.first] ?? Number.POSITIVE_INFINITY) <= time) log.first += 1
  if (log.first * 2 <= log.times.length) return
  log.times.splice(0, log.first)
  log.first = 0
}

// Whole milliseconds that never go back. A wall clock that is set back would otherwise block
// everyone until it has caught up. Here the step counts as no time. Whole milliseconds, so that a
// wait of exactly Retry-After is never too short because of rounding.
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
