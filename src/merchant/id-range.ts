import { addSeconds } from '../kernel/basics/clock.ts'
import { lowestUuidAt } from '../kernel/basics/id.ts'

// Ids hold the time at which they were made, a moment before that of their row. They bound what is
// read, so that rows of last year are found without reading those since.
export function lowestIdAround(moment: Date, minutes: number): string {
  return lowestUuidAt(addSeconds(moment, minutes * 60))
}
