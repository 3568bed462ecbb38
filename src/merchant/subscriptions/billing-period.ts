// Days in a time zone. Days are text, `2028-02-29`, as in the database: a day has no time zone
// until its start in a time zone is computed.
import { assertDefined } from '../../kernel/basics/assert.ts'
import { addSeconds } from '../../kernel/basics/clock.ts'

// The current day in a time zone.
export function localDay(moment: Date, timeZone: string): string {
  const parts = formatterOf(timeZone).formatToParts(moment)
  const part = (type: string) =>
    assertDefined(parts.find((one) => one.type === type)?.value, `a day without its ${type}`)
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
}

// The first moment of a day in a time zone, to the second. If the clock skips midnight, it is after
// midnight; if the zone skips the whole day, it is the first moment of the next.
export function startOfDay(day: string, timeZone: string): Date {
  // No zone is further from UTC than 15 hours.
  const spread = 15 * 60 * 60
  const midnight = new Date(`${day}T00:00:00.000Z`)
  let before = -spread
  let from = spread
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2)
    if (localDay(addSeconds(midnight, middle), timeZone) >= day) from = middle
    else before = middle
  }
  return addSeconds(midnight, from)
}

export function isTimeZone(name: string): boolean {
  try {
    formatterOf(name)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

// Creating a formatter takes longer than using it a thousand times. There are some hundred zones.
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known) return known
  const numeric = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  const calendar = { calendar: 'iso8601', numberingSystem: 'latn' }
  const formatter = new Intl.DateTimeFormat('en', { timeZone, ...numeric, ...calendar })
  formatters.set(timeZone, formatter)
  return formatter
}
