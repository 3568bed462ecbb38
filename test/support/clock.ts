import type { Clock } from '../../src/kernel/basics/clock.ts'

export type ManualClock = Clock & {
  advance(milliseconds: number): void
  set(date: Date): void
}

// A clock that moves only when told, so that tests of days run in a moment.
export function manualClock(start = new Date('2026-03-01T12:00:00.000Z')): ManualClock {
  let now = start.getTime()
  return {
    now: () => new Date(now),
    monotonicMs: () => now,
    advance: (milliseconds) => {
      now += milliseconds
    },
    set: (date) => {
      now = date.getTime()
    },
  }
}
