// The only place that asks the machine for the time; everything else is handed a clock, so that
// tests can drive days of retries and expiries in a moment.
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

export function addMilliseconds(date: Date, milliseconds: number): Date {
  return new Date(date.getTime() + milliseconds)
}

export function addSeconds(date: Date, seconds: number): Date {
  return addMilliseconds(date, seconds * 1000)
}
