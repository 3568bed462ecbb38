// Calendar days are text, `YYYY-MM-DD`, without a time zone. Their text sorts like the days.
import { assert } from './assert.ts'

const dayMs = 24 * 60 * 60 * 1000
const lastDay = '9999-12-31'

// Ends at the last day with a year of four digits.
export function addDays(day: string, days: number): string {
  const text = new Date(startMs(day) + days * dayMs).toISOString()
  return text.startsWith('+') ? lastDay : text.slice(0, 10)
}

export function daysBetween(from: string, to: string): number {
  return (startMs(to) - startMs(from)) / dayMs
}

function startMs(day: string): number {
  const start = Date.parse(`${day}T00:00:00Z`)
  assert(Number.isFinite(start), `not a day: ${day}`)
  return start
}
