// Addresses at which nobody could be reached while others of the same name were tried. For a minute
// they are tried last: a dead one would cost every new connection a part of its time. Nothing is
// allowed by this: it only orders what was vetted for the attempt.
import type { Clock } from '../basics/clock.ts'
import { keyOf } from './connections.ts'
import type { Target } from './egress-url.ts'

export type PassedOver = {
  // Those that were not passed over first, then whichever was longest ago.
  inTurn(targets: readonly Target[]): readonly Target[]
  add(target: Target): void
}

const rememberedMs = 60_000
const rememberedMax = 2000

export function createPassedOver(clock: Clock): PassedOver {
  const addedMs = new Map<string, number>()
  return {
    inTurn(targets) {
      if (addedMs.size === 0 || targets.length === 1) return targets
      const forgottenMs = clock.monotonicMs() - rememberedMs
      const rank = (target: Target) => {
        const atMs = addedMs.get(keyOf(target)) ?? forgottenMs
        return Math.max(atMs, forgottenMs)
      }
      return targets.toSorted((one, other) => rank(one) - rank(other))
    },
    add(target) {
      if (addedMs.size >= rememberedMax) addedMs.clear()
      addedMs.set(keyOf(target), clock.monotonicMs())
    },
  }
}
