// Which endpoints may be sent to now, so that slow ones do not keep the others waiting, nor those
// of one business those of another. There are two lanes. An endpoint starts in the fast one, with
// one attempt until it has answered; an attempt that takes longer than a moment makes room there
// and goes on beside it. An endpoint whose last attempt took so long that it hardly ends well
// starts in the slow lane next time, which has few places: hundreds of endpoints that hang take
// turns there, and the fast lane stays free. One that is only not quick, or was slow because we
// were busy, does not wait behind those.
//
// No business has more than twice as many places as are free. So one alone has two thirds of
// them, and however many businesses want all they can get, there is a place for the next.
export type Lanes = {
  // For one round of claims: how many attempts at an endpoint may start, given what the endpoints
  // before it were promised.
  offer(): (receiver: Receiver, max: number) => number
  // Whether an offer could have anything for it at all.
  hasRoom(receiver: Receiver): boolean
  // Call `end` when the attempt is over.
  enter(receiver: Receiver): { end(): void }
  // `beside` are those that made room in the fast lane.
  running(): Record<Lane | 'beside', number>
}

export type Receiver = { readonly businessId: string; readonly endpointId: string }

// Enough that hundreds of endpoints that hang and are not known to, as after a start, are through
// within moments.
const fastPlaces = 512
const slowPlaces = 128
// Of all attempts, those included that made room in the fast lane; bounds sockets and memory.
const runningMax = 768
const perEndpointMax = 8
// Of one that has not answered since the start: otherwise hundreds that hang, each with a backlog,
// would take all places at once. Nor do all of them together, however many businesses they are of.
const unknownMax = 1
const placesForKnown = 256
// Of the slow lane, for more than one attempt at an endpoint: while few hang, each gets through
// what is due in time; while many do, each has one place at a time.
const sparePlaces = 32
const momentMs = 150
// Less than any timeout, and more than a busy machine of ours adds to a quick answer.
const slowMsDefault = 4000
// Only as long as this is remembered; an endpoint that is forgotten is tried in the fast lane.
const rememberedMax = 20_000

type Lane = 'fast' | 'slow'
// How many attempts are in each lane; `all` counts those too that have left the fast one.
type Tally = Record<Lane | 'all', number>

export function createLanes(slowMs = slowMsDefault): Lanes {
  const slowEndpoints = new Set<string>()
  const knownEndpoints = new Set<string>()
  const { perEndpoint, perBusiness, running, count, leaveFast } = createTallies()

  function standingOf(endpointId: string) {
    const lane: Lane = slowEndpoints.has(endpointId) ? 'slow' : 'fast'
    const isKnown = lane === 'slow' || knownEndpoints.has(endpointId)
    const own = perEndpoint.get(endpointId) ?? 0
    return { lane, isKnown, own, most: (isKnown ? perEndpointMax : unknownMax) - own }
  }

  return {
    offer() {
      const left: Tally = {
        fast: fastPlaces - running.fast,
        slow: slowPlaces - running.slow,
        all: runningMax - running.all,
      }
      const promised = new Map<string, Tally>()
      return ({ businessId, endpointId }, max) => {
        const { lane, isKnown, own, most } = standingOf(endpointId)
        const ofBusiness = promised.get(businessId) ?? {
          ...emptyTally(),
          ...perBusiness.get(businessId),
        }
        const room = lane === 'slow' ? roomInSlow(left.slow, own) : left.fast
        const roomInAll = isKnown ? left.all : left.all - placesForKnown
        const share = Math.min(
          shareOf(left[lane], ofBusiness[lane]),
          shareOf(roomInAll, ofBusiness.all),
        )
        const given = Math.max(Math.min(max, most, room, roomInAll, share), 0)
        promised.set(businessId, ofBusiness)
        for (const place of [lane, 'all'] as const) {
          left[place] -= given
          ofBusiness[place] += given
        }
        return given
      }
    },
    hasRoom({ endpointId }) {
      const { lane, own, most } = standingOf(endpointId)
      return most > 0 && (lane === 'fast' || roomInSlow(slowPlaces - running.slow, own) > 0)
    },
    enter(receiver) {
      const { endpointId } = receiver
      const { lane } = standingOf(endpointId)
      let isInLane = true
      let hasHung = false
      count(receiver, lane, 1)
      const verdict = () => {
        hasHung = true
        remember(slowEndpoints, endpointId)
        knownEndpoints.delete(endpointId)
      }
      // One timer at a time: nearly all attempts are over before the first goes off.
      let timer = setTimeout(() => {
        timer = setTimeout(verdict, slowMs - momentMs)
        if (lane === 'slow') return
        isInLane = false
        leaveFast(receiver)
      }, momentMs)
      return {
        end() {
          clearTimeout(timer)
          count(receiver, isInLane ? lane : null, -1)
          if (hasHung) return
          slowEndpoints.delete(endpointId)
          remember(knownEndpoints, endpointId)
        },
      }
    },
    running: () => ({
      fast: running.fast,
      slow: running.slow,
      beside: running.all - running.fast - running.slow,
    }),
  }
}

// What is running now, of each and together.
function createTallies() {
  const perEndpoint = new Map<string, number>()
  const perBusiness = new Map<string, Tally>()
  const running = emptyTally()

  function count({ businessId, endpointId }: Receiver, lane: Lane | null, by: 1 | -1): void {
    const own = perBusiness.get(businessId) ?? emptyTally()
    for (const tally of [running, own]) {
      tally.all += by
      if (lane) tally[lane] += by
    }
    if (own.all === 0) perBusiness.delete(businessId)
    else perBusiness.set(businessId, own)
    const attempts = (perEndpoint.get(endpointId) ?? 0) + by
    if (attempts === 0) perEndpoint.delete(endpointId)
    else perEndpoint.set(endpointId, attempts)
  }

  // It goes on beside the fast lane.
  function leaveFast({ businessId }: Receiver): void {
    running.fast -= 1
    const own = perBusiness.get(businessId)
    if (own) own.fast -= 1
  }

  return { perEndpoint, perBusiness, running, count, leaveFast }
}

// What a business that has so many places may have besides, of those that are left.
function shareOf(left: number, own: number): number {
  return Math.max(Math.floor((2 * left - own) / 3), own === 0 ? 1 : 0)
}

function roomInSlow(left: number, own: number): number {
  const first = own === 0 ? 1 : 0
  const spare = Math.max(left - first - (slowPlaces - sparePlaces), 0)
  return Math.min(first, left) + spare
}

function remember(endpoints: Set<string>, endpointId: string): void {
  if (endpoints.size >= rememberedMax) endpoints.clear()
  endpoints.add(endpointId)
}

function emptyTally(): Tally {
  return { fast: 0, slow: 0, all: 0 }
}
