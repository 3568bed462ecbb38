// Which endpoints may be sent to now, so that slow ones do not keep the others waiting. There are
// two lanes. An endpoint starts in the fast one, with one attempt until it has answered; an attempt
// that takes longer than a moment goes over to the slow lane while it runs and makes room. An
// endpoint whose last attempt took so long that it hardly ends well starts in the slow lane next
// time, which has few places: hundreds of endpoints that hang take turns there, and the fast lane
// stays free. One that is only not quick, or was slow because we were busy, does not wait behind
// those.
export type Lanes = {
  // For one round of claims: how many attempts at an endpoint may start, given what the endpoints
  // before it were promised.
  offer(): (endpointId: string, max: number) => number
  // Call `end` when the attempt is over.
  enter(endpointId: string): { end(): void }
  running(): { fast: number; slow: number }
}

// Enough that hundreds of endpoints that hang and are not known to, as after a start, are through
// within moments.
const fastPlaces = 256
const slowPlaces = 96
// Counting those that went over from the fast lane; bounds sockets and memory.
const runningMax = 768
const perEndpointMax = 8
// Of one that has not answered since the start: otherwise hundreds that hang, each with a backlog,
// would take all places at once.
const unknownMax = 1
// Of the slow lane, for more than one attempt at an endpoint: while few hang, each gets through
// what is due in time; while many do, each has one place at a time.
const sparePlaces = 32
const momentMs = 150
// Less than any timeout, and more than a busy machine of ours adds to a quick answer.
const slowMsDefault = 4000
// Only as long as this is remembered; an endpoint that is forgotten is tried in the fast lane.
const rememberedMax = 20_000

function remember(endpoints: Set<string>, endpointId: string): void {
  if (endpoints.size >= rememberedMax) endpoints.clear()
  endpoints.add(endpointId)
}

function roomInSlow(left: number, first: number): number {
  const spare = Math.max(left - first - (slowPlaces - sparePlaces), 0)
  return Math.min(first, left) + spare
}

export function createLanes(slowMs = slowMsDefault): Lanes {
  const slowEndpoints = new Set<string>()
  const knownEndpoints = new Set<string>()
  const perEndpoint = new Map<string, number>()
  let fast = 0
  let slow = 0

  function leave(endpointId: string): void {
    const left = (perEndpoint.get(endpointId) ?? 1) - 1
    if (left === 0) perEndpoint.delete(endpointId)
    else perEndpoint.set(endpointId, left)
  }

  return {
    offer() {
      const left = {
        fast: fastPlaces - fast,
        slow: slowPlaces - slow,
        all: runningMax - fast - slow,
      }
      return (endpointId, max) => {
        const lane = slowEndpoints.has(endpointId) ? 'slow' : 'fast'
        const own = perEndpoint.get(endpointId) ?? 0
        const first = own === 0 ? 1 : 0
        const room = lane === 'fast' ? left.fast : roomInSlow(left.slow, first)
        const isKnown = lane === 'slow' || knownEndpoints.has(endpointId)
        const most = isKnown ? perEndpointMax : unknownMax
        const count = Math.max(Math.min(max, most - own, room, left.all), 0)
        left[lane] -= count
        left.all -= count
        return count
      }
    },
    enter(endpointId) {
      perEndpoint.set(endpointId, (perEndpoint.get(endpointId) ?? 0) + 1)
      let isSlow = slowEndpoints.has(endpointId)
      let hasHung = false
      if (isSlow) slow += 1
      else fast += 1
      const moment = setTimeout(() => {
        if (isSlow) return
        isSlow = true
        fast -= 1
        slow += 1
      }, momentMs)
      const verdict = setTimeout(() => {
        hasHung = true
        remember(slowEndpoints, endpointId)
        knownEndpoints.delete(endpointId)
      }, slowMs)
      return {
        end() {
          clearTimeout(moment)
          clearTimeout(verdict)
          leave(endpointId)
          if (isSlow) slow -= 1
          else fast -= 1
          if (hasHung) return
          slowEndpoints.delete(endpointId)
          remember(knownEndpoints, endpointId)
        },
      }
    },
    running: () => ({ fast, slow }),
  }
}
