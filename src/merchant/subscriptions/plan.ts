// A plan: the amount, the interval and the time zone. It never changes.
import type { Interval, IntervalUnit } from '../../kernel/basics/interval.ts'

export type Plan = {
  readonly id: string
  readonly name: string
  readonly currency: string
  readonly amountMinor: bigint
  readonly intervalUnit: IntervalUnit
  readonly intervalCount: number
  readonly timeZone: string
  readonly createdAt: Date
}

export function intervalOf({ intervalUnit, intervalCount }: Plan): Interval {
  return { unit: intervalUnit, count: intervalCount }
}

// `every month`, `every 3 weeks`.
export function intervalText({ intervalUnit, intervalCount }: Plan): string {
  return intervalCount === 1 ? `every ${intervalUnit}` : `every ${intervalCount} ${intervalUnit}s`
}
