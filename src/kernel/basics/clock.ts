// The only place that reads the machine's time. All other code receives a clock, so that tests can
// pass through days of retries and expiries at once.
export type Clock = {
  now(): Date
  // For measuring time within one process. Unlike the wall clock, it is never adjusted.
  monotonicMs(): number
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
}

export function addMilliseconds(date: Date, milliseconds: number): Date {
  return new Date(date.getTime() + milliseconds)
}

export function startOfUtcDay(moment: Date): Date {
  return new Date(`${moment.toISOString().slice(0, 10)}T00:00:00.000Z`)
}

export function addSeconds(date: Date, seconds: number): Date {
  return addMilliseconds(date, seconds * 1000)
}
