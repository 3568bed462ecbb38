// Days are text, `YYYY-MM-DD`, which compares as the days do.
import { assert } from '../../kernel/basics/assert.ts'

const dayMs = 24 * 60 * 60 * 1000
const lastDay = '9999-12-31'

// Stops at the last day that four digits can write.
export function addDays(day: string, days: number): string {
  const start = Date.parse(`${day}T00:00:00Z`)
  assert(Number.isFinite(start), `a day that is none: ${day}`)
  const text = new Date(start + days * dayMs).toISOString()
  return text.startsWith('+') ? lastDay : text.slice(0, 10)
}
