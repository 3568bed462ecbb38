// Chance that repeats itself: the same seed draws the same numbers in the same order.
import { createHash } from 'node:crypto'

// A whole number from 0, below the limit.
export type Random = (limit: number) => number

export function createRandom(seed: string): Random {
  let count = 0
  return (limit) => {
    count += 1
    return createHash('sha256').update(`${seed} ${count}`).digest().readUInt32BE(0) % limit
  }
}
