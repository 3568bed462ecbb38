// How many attempts may be under way, so that endpoints that hang do not delay the others, nor one
// business another. Every endpoint is in one of three bulkheads, and each has its own slots:
//   fast: its last attempt did not time out;
//   new:  it was not tried since the worker started, and gets one attempt until that has ended;
//   slow: its last attempt timed out.
// Hundreds of endpoints that hang share the slots of the slow bulkhead, and the fast one stays
// free.
//
// A business may have twice as many slots of a bulkhead as are free in it. One business alone has
// two thirds of them, and there is always a slot for the next business.
import type { Clock } from '../basics/clock.ts'

export type Receiver = { readonly businessId: string; readonly endpointId: string }

export type Bulkheads = {
  // How many attempts may start at each endpoint. Takes the endpoints of each business, those to be
  // served first at the beginning. Businesses take turns; an endpoint without a free slot does not
  // use up the turn of its business.
  allot<E extends Receiver>(businesses: readonly (readonly E[])[]): Allotted<E>[]
  // Occupies a slot until the returned function is called.
  start(receiver: Receiver): (hasTimedOut: boolean) => void
  running(): Record<Slot, number>
}

export type Allotted<E> = E & { readonly limit: number }

type Bulkhead = 'fast' | 'new' | 'slow'

// An attempt that has taken longer than a moment gives its slot in the fast bulkhead back while it
// goes on. So many endpoints that begin to hang at the same time block the others for that moment
// only.
type Slot = Bulkhead | 'stalled'
const stalledMs = 1000

// Hundreds of endpoints may be new when a worker starts, and all of them may hang.
const slots: Record<Slot, number> = { fast: 512, new: 512, slow: 128, stalled: Infinity }
// Of all attempts together; bounds sockets and memory.
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
        // While few hang, each gets through what is due in time; while many do, each has one slot.
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

// Counted anew in every round: simpler than counters that follow each attempt, and cheap enough.
function countUsage() {
  const used = new Map<string, number>()
  const count = (key: string) => used.get(key) ?? 0
  return {
    occupy({ businessId, endpointId }: Receiver, slot: Slot, by: number) {
      for (const key of ['all', slot, `${slot} ${businessId}`, endpointId]) {
        used.set(key, count(key) + by)
      }
    },
    // How many more attempts an endpoint may have that may have so many at once.
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
