// The only place that asks the machine for the time; everything else is handed a clock, so that
// tests can drive days of retries and expiries in a moment.
export type Clock = {
  now(): Date
  // For measuring waits inside one process, from any start: unlike the wall clock it is never set,
  // in either direction.
  monotonicMs(): number
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
}

export function addMilliseconds(date: Date, milliseconds: number): Date {
  return new Date(date.getTime() + milliseconds)
}

export function addSeconds(date: Date, seconds: number): Date {
  return addMilliseconds(date, seconds * 1000)
}
