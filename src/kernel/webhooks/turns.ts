// Whose turn it is. Businesses take turns, and within each its endpoints: whoever has waited
// longest comes first, and nobody comes a second time before everybody came once. So a business
// with a hundred endpoints keeps one with a single endpoint waiting no longer than another would.
import type { DueEndpoint } from './queue-store.ts'

export type Turns = {
  // Those that have something due and room, in the order in which they are to be asked for. One
  // that hangs has no room; if it came first all the same, it would use up the turns of its
  // business, and the others of that business would wait for it while everybody is busy.
  inOrder(due: Iterable<DueEndpoint>, hasRoom: (endpoint: DueEndpoint) => boolean): DueEndpoint[]
  // They have had theirs.
  took(endpoints: readonly DueEndpoint[]): void
}

const rememberedMax = 50_000

export function createTurns(): Turns {
  // When each business and each endpoint had its last turn, in turns and not in time.
  const lastTurns = new Map<string, number>()
  let turn = 0
  const last = (id: string) => lastTurns.get(id) ?? 0

  return {
    inOrder(due, hasRoom) {
      const waiting = [...due]
        .filter(hasRoom)
        .sort(
          (one, other) =>
            last(one.endpointId) - last(other.endpointId) ||
            one.runAt.getTime() - other.runAt.getTime(),
        )
      const seen = new Map<string, number>()
      const placed = waiting.map((endpoint) => {
        const round = seen.get(endpoint.businessId) ?? 0
        seen.set(endpoint.businessId, round + 1)
        return { endpoint, round, business: last(endpoint.businessId) }
      })
      placed.sort((one, other) => one.round - other.round || one.business - other.business)
      return placed.map(({ endpoint }) => endpoint)
    },
    took(endpoints) {
      turn += 1
      if (lastTurns.size > rememberedMax) lastTurns.clear()
      for (const { businessId, endpointId } of endpoints) {
        lastTurns.set(businessId, turn)
        lastTurns.set(endpointId, turn)
      }
    },
  }
}
