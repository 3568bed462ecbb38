// Limits concurrent attempts, so that hanging endpoints don't delay others, nor one business
// another. Every endpoint is in one of three bulkheads (lanes), each with its own slots:
//   fast: its last attempt did not time out;
//   new: not tried since the worker started; it gets one attempt until that has ended;
//   slow: its last attempt timed out.
// Hundreds of hanging endpoints share the slots of the slow bulkhead, and the fast one stays free.
//
// A business can have twice as many slots of a bulkhead as are free in it. So one business alone
// has at most two thirds of them, and there is always a slot for the next business.
import type { Clock } from '../basics/clock.ts'

export type Receiver = { readonly businessId: string; readonly endpointId: string }

export type Bulkheads = {
  // How many attempts can start at each endpoint. Takes the endpoints of each business in the order
  // of service. Businesses take turns; an endpoint without a free slot does not use up the turn of
  // its business.
  allot<E extends Receiver>(businesses: readonly (readonly E[])[]): Allotted<E>[]
  // Occupies a slot until the returned function is called.
  start(receiver: Receiver): (hasTimedOut: boolean) => void
  running(): Record<Slot, number>
}

export type Allotted<E> = E & { readonly limit: number }

type Bulkhead = 'fast' | 'new' | 'slow'

// An attempt that takes longer than a moment gives its slot in the fast bulkhead back while it
// continues. So even many endpoints that start to hang at once block the others only for that
// moment.
type Slot = Bulkhead | 'stalled'
const stalledMs = 1000

// When a worker starts, hundreds of endpoints can be new, and all of them may hang.
const slots: Record<Slot, number> = { fast: 512, new: 512, slow: 128, stalled: Infinity }
// All attempts together. Bounds sockets and memory.
const runningMax = 1280
const perEndpointMax = 8
// An endpoint that is forgotten counts as new.
const rememberedMax = 50_000

type Attempt = Receiver & { readonly bulkhead: Bulkhead; readonly startedMs: number }

export function createBulkheads({ monotonicMs }: Pick<Clock, 'monotonicMs'>): Bulkheads {
  const attempts = new Set<Attempt>()
  const tried = new Map<string, 'fast' | 'slow'>()
  const bulkheadOf = ({ endpointId }: Receiver): Bulkhead => tried.get(endpointId) ?? 'new'
  const slotOf = ({ bulkhead, startedMs }: Attempt): Slot =>
    bulkhead === 'fast' && monotonicMs() - startedMs >= stalledMs ? 'stalled' : bulkhead

  return {
    allot(businesses) {
      const usage = countUsage()
      for (const attempt of attempts) usage.occupy(attempt, slotOf(attempt), 1)
      const slowCount = businesses.flat().filter((one) => bulkheadOf(one) === 'slow').length
      const limits = {
        fast: perEndpointMax,
        new: 1,
        // While few endpoints hang, each has enough slots for its due deliveries; while many do,
        // each has one.
        slow: Math.min(Math.max(Math.floor(slots.slow / slowCount), 1), perEndpointMax),
      }
      return inTurns(businesses, (receiver) => {
        const bulkhead = bulkheadOf(receiver)
        const limit = usage.free(receiver, bulkhead, limits[bulkhead])
        usage.occupy(receiver, bulkhead, limit)
        return limit
      })
    },
    start({ businessId, endpointId }) {
      const bulkhead = bulkheadOf({ businessId, endpointId })
      const attempt = { businessId, endpointId, bulkhead, startedMs: monotonicMs() }
      attempts.add(attempt)
      return (hasTimedOut) => {
        attempts.delete(attempt)
        if (tried.size >= rememberedMax) tried.clear()
        tried.set(endpointId, hasTimedOut ? 'slow' : 'fast')
      }
    },
    running() {
      const counts = { fast: 0, new: 0, slow: 0, stalled: 0 }
      for (const attempt of attempts) counts[slotOf(attempt)] += 1
      return counts
    },
  }
}

// Counted again in every round: simpler than counters that follow each attempt, and cheap enough.
function countUsage() {
  const used = new Map<string, number>()
  const count = (key: string) => used.get(key) ?? 0
  return {
    occupy({ businessId, endpointId }: Receiver, slot: Slot, by: number) {
      for (const key of ['all', slot, `${slot} ${businessId}`, endpointId]) {
        used.set(key, count(key) + by)
      }
    },
    // How many more attempts an endpoint can start, given its limit.
    free({ businessId, endpointId }: Receiver, bulkhead: Bulkhead, limit: number): number {
      const free = Math.min(slots[bulkhead] - count(bulkhead), runningMax - count('all'))
      const own = count(`${bulkhead} ${businessId}`)
      const share = Math.max(Math.floor((2 * free - own) / 3), own === 0 ? 1 : 0)
      return Math.max(Math.min(limit - count(endpointId), free, share), 0)
    },
  }
}

function inTurns<E>(
  businesses: readonly (readonly E[])[],
  take: (one: E) => number,
): Allotted<E>[] {
  const waiting = businesses.map((endpoints) => [...endpoints])
  const allotted: Allotted<E>[] = []
  for (let before = -1; before < allotted.length; ) {
    before = allotted.length
    for (const endpoints of waiting) {
      for (let next = endpoints.shift(); next; next = endpoints.shift()) {
        const limit = take(next)
        if (limit === 0) continue
        allotted.push({ ...next, limit })
        break
      }
    }
  }
  return allotted
}
